#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "CoinslotSubsystem.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FCoinslotOrder, const FString&, OrderId);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FCoinslotEnded, const FString&, OrderId, const FString&, Status);

/**
 * Opens the payment page of an order, and says when the game's own backend has granted it. The client never has the S2S key.
 * It asks your backend, which has two calls: POST /api/buy with {"sku": …} answers orderId and checkoutUrl,
 * GET /api/orders/ORDER_ID answers status.
 */
UCLASS()
class COINSLOT_API UCoinslotSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Your backend, such as https://game.example.com. */
	UPROPERTY(BlueprintReadWrite, Category = "Coinslot")
	FString BackendUrl;

	/** How your backend knows the player: the value of the Authorization header. */
	UPROPERTY(BlueprintReadWrite, Category = "Coinslot")
	FString Authorization;

	UPROPERTY(BlueprintAssignable, Category = "Coinslot")
	FCoinslotOrder OnOpened;

	/** The game's backend has the items: show them. A deep link alone proves nothing. */
	UPROPERTY(BlueprintAssignable, Category = "Coinslot")
	FCoinslotOrder OnGranted;

	/** The order ended without items. */
	UPROPERTY(BlueprintAssignable, Category = "Coinslot")
	FCoinslotEnded OnEnded;

	/** The backend could not be asked, or it refused to sell; the text says why. */
	UPROPERTY(BlueprintAssignable, Category = "Coinslot")
	FCoinslotOrder OnFailed;

	UFUNCTION(BlueprintCallable, Category = "Coinslot")
	void Buy(const FString& Sku);

	/** Goes on with an order of an earlier run of the game. */
	UFUNCTION(BlueprintCallable, Category = "Coinslot")
	void Watch(const FString& InOrderId);

	/** The page of a real shop is encrypted; only one on this machine may be without. */
	static bool IsSafe(const FString& Address);

private:
	void OnForeground();
	bool OnTick(float DeltaSeconds);
	void Look();
	void OnStatus(const FString& Asked, const FString& Status);

	FString OrderId;
	float WaitedSeconds = 0.f;
	bool bIsLooking = false;
	FDelegateHandle ForegroundHandle;
	FTSTicker::FDelegateHandle TickHandle;
};
