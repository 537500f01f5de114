mergeInto(LibraryManager.library, {
  // In the player's tap, where a browser allows it. The page is not told who opened it.
  CoinslotOpenTab: function () {
    window.coinslotTab = window.open('', '_blank');
  },
  CoinslotLeadTab: function (address) {
    var page = UTF8ToString(address);
    var tab = window.coinslotTab;
    window.coinslotTab = null;
    if (tab && !tab.closed) {
      tab.opener = null;
      tab.location.replace(page);
    } else {
      // The tab was refused: the page takes the place of the game, and leads back by back_to_game_url.
      window.location.assign(page);
    }
  },
  CoinslotCloseTab: function () {
    if (window.coinslotTab) window.coinslotTab.close();
    window.coinslotTab = null;
  },
});
