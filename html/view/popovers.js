// Details that open over the page: a click elsewhere closes them, and so does opening another one.

export function bindPopovers() {
  const popovers = [...document.querySelectorAll('details.popover')];
  const closeOthers = (kept) => popovers.filter((one) => one !== kept).forEach((one) => one.removeAttribute('open'));
  document.addEventListener('pointerdown', ({target}) => closeOthers(popovers.find((one) => one.contains(target))));
  for (const popover of popovers) {
    popover.addEventListener('toggle', () => popover.open && closeOthers(popover));
  }
}
