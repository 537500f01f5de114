using Coinslot.Unity;
using UnityEngine;

/// <summary>One button, against the game of examples/game: npm run demo, then press Play.</summary>
public class Shop : MonoBehaviour
{
    string says = "";
    Checkout checkout;

    void Start()
    {
        checkout = gameObject.AddComponent<Checkout>();
        checkout.BackendUrl = "http://localhost:4300";
        checkout.Opened += order => says = "Pay in your browser, then come back.";
        checkout.Granted += order => says = "The crystals are yours.";
        checkout.Ended += (order, status) => says = "No crystals: " + status;
        checkout.Failed += reason => says = reason;
    }

    void OnGUI()
    {
        if (GUILayout.Button("Buy crystals")) checkout.Buy("crystals_100");
        GUILayout.Label(says);
    }
}
