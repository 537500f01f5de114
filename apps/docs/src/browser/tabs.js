function tabGroups() {
  const groups = [];
  for (const block of document.querySelectorAll('.code[data-tab]')) {
    const isNext = block.previousElementSibling?.dataset.tab !== undefined;
    if (isNext) groups.at(-1).push(block);
    else groups.push([block]);
  }
  return groups.filter(blocks => blocks.length > 1);
}

/** Blocks of code that say the same in several languages become tabs; the language stays chosen. */
export function languageTabs() {
  const stored = () => {
    try {
      return localStorage.getItem('docs-language');
    } catch {
      return null;
    }
  };
  for (const [at, blocks] of tabGroups().entries()) {
    const list = document.createElement('div');
    list.className = 'tabs';
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', 'Language');
    const tabs = blocks.map((block, i) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.id = `tab-${at}-${i}`;
      tab.textContent = block.dataset.tab;
      tab.setAttribute('role', 'tab');
      block.id = `panel-${at}-${i}`;
      tab.setAttribute('aria-controls', block.id);
      block.setAttribute('role', 'tabpanel');
      block.setAttribute('aria-labelledby', tab.id);
      return tab;
    });
    const choose = chosen =>
      tabs.forEach((tab, i) => {
        tab.setAttribute('aria-selected', String(i === chosen));
        tab.tabIndex = i === chosen ? 0 : -1;
        blocks[i].hidden = i !== chosen;
      });
    const pick = i => {
      choose(i);
      try {
        localStorage.setItem('docs-language', tabs[i].textContent);
      } catch {}
    };
    for (const [i, tab] of tabs.entries()) tab.addEventListener('click', () => pick(i));
    list.addEventListener('keydown', event => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by === undefined) return;
      const next = (tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length;
      pick(next);
      tabs[next].focus();
    });
    list.append(...tabs);
    blocks[0].before(list);
    choose(
      Math.max(
        0,
        tabs.findIndex(tab => tab.textContent === stored()),
      ),
    );
  }
}
