"""The types of the contract, held against an event and an order."""

import os
import sys
import typing
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import coinslot  # noqa: E402
from coinslot import models  # noqa: E402


class Models(unittest.TestCase):
    def test_an_event_has_the_fields_of_its_model(self) -> None:
        data = coinslot.test_event("item.add")["event_data"]
        self.assertLessEqual(set(data), set(typing.get_type_hints(models.ItemEventData)))
        self.assertLessEqual(set(data["items"][0]), set(typing.get_type_hints(models.ItemEventItem)))

    def test_an_order_needs_a_player_and_items_alone(self) -> None:
        order: models.CreateOrder = {"player_id": "ann", "items": [{"sku": "gem"}], "price_decimal": 4.99}
        self.assertEqual(models.CreateOrder.__required_keys__, {"player_id", "items"})
        self.assertLessEqual(set(order), set(typing.get_type_hints(models.CreateOrder)))


if __name__ == "__main__":
    unittest.main()
