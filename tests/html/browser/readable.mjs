// Functions that run in a page, and list the parts that not everybody can read or operate. Each is self-contained: the browser gets
// its text.

/** @return {string[]} texts with less contrast than WCAG's AA asks of them */
export function faintTexts() {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const over = (colour, [r, g, b]) => {
    for (const style of [`rgb(${r} ${g} ${b})`, colour]) {
      canvas.fillStyle = style;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const backOf = (element) => {
    const chain = [];
    for (; element; element = element.parentElement) chain.unshift(getComputedStyle(element).backgroundColor);
    return chain.reduce((colour, next) => over(next, colour), [255, 255, 255]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *:not(option)')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
    if (!hasText || !element.checkVisibility() || element.closest(':disabled')) continue;
    const back = backOf(element);
    const [low, high] = [back, over(getComputedStyle(element).color, back)].map(luminance).sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) faint.push(`${element.tagName} ${element.textContent}`);
  }
  return faint;
}

/** @return {string[]} controls without a name to be read aloud */
export function namelessControls() {
  return [...document.querySelectorAll('button, input, select, textarea')]
      .filter((control) => !control.getAttribute('aria-label') && !control.labels?.length && control.textContent.trim() === '')
      .map((control) => control.id || control.outerHTML);
}

/** @return {string[]} figures of tables that are not seen whole: they would be other figures */
export function cutFigures() {
  return [...document.querySelectorAll('.rows :is(td:not(.text), th)')]
      .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent);
}
