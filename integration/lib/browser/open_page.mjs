// Opens a flame graph from disk in headless Chromium and prints a reader's view, as JSON:
// title, errors, requests beyond the file itself, and how many colours its canvas shows.
//   node open_page.mjs FILE
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const page = await browser.newPage();
  const address = pathToFileURL(process.argv[2]).href;
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !/^(data|blob):/.test(url)) requests.push(url);
  });
  await page.goto(address);
  await page.waitForFunction(countColours);
  const seen = {title: await page.title(), colours: await page.evaluate(countColours), errors, requests};
  console.log(JSON.stringify(seen));
} finally {
  await browser.close();
}

// Runs in the page: 0 until something is drawn. Every seventh pixel shows each frame of a screenful.
function countColours() {
  const canvas = document.querySelector('canvas');
  if (!canvas?.width) return 0;
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 28) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return colours.size > 1 ? colours.size : 0;
}
