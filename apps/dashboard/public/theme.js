// Before the first paint, so that nobody who chose dark sees a white flash. A file, because the policy forbids inline scripts.
try {
  document.documentElement.dataset.theme = localStorage.getItem('coinslot.theme') || 'auto';
} catch {
  document.documentElement.dataset.theme = 'auto';
}
