import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hydrated, withoutPrefetching } from '../fixture-pages.ts';
import { builtSite, page, serveSite } from '../site.ts';

const { origin } = await serveSite(await builtSite());

const home = async () => {
  const opened = await page({ origin });
  await withoutPrefetching(opened.page);
  await opened.page.goto(origin);
  await hydrated(opened.page);
  return opened.page;
};

test('the home page says what Redoubt is, and leads to the page behind "Start in five minutes"', async () => {
  const tab = await home();
  const head = await tab.locator('main > header').innerText();
  assert.match(head, /self-hosted data platform with record-level security, SQL and search/i);
  await tab.getByRole('link', { name: 'Start in five minutes' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Start in five minutes' }).waitFor();
});

test('a search that is typed on the home page is answered to each of the three people, without a server', async () => {
  const tab = await home();
  const asked: string[] = [];
  const counts = () => tab.locator('main section p', { hasText: /^[\d,]+ records?$/ }).allInnerTexts();
  assert.deepEqual(await counts(), ['2 records', '3 records', '0 records']);
  tab.on('request', (request) => asked.push(request.url()));
  await tab.getByLabel('Lucene search').fill('iso_country:KE');
  assert.deepEqual(await counts(), ['35 records', '0 records', '0 records']);
  assert.match(await tab.getByRole('status').innerText(), /^Answers to iso_country:KE/);
  await tab.getByLabel('Lucene search').fill('name:nowhere');
  assert.match(await tab.getByRole('status').innerText(), /the answers below are to iso_country:KE/);
  await tab.getByRole('button', { name: 'type:TACAN' }).click();
  assert.deepEqual(await counts(), ['177 records', '122 records', '0 records']);
  assert.deepEqual(asked, []);
});

test('diagrams follow the colours of the mode and fit a telephone', async () => {
  const tab = await home();
  const drawn = tab.getByRole('img', { name: /^A request is authenticated/ });
  const stroke = () =>
    drawn
      .filter({ visible: true })
      .locator('rect')
      .first()
      .evaluate((box) => getComputedStyle(box).fill);
  assert.equal(await stroke(), 'rgb(255, 255, 255)');
  await tab.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
  });
  assert.equal(await stroke(), 'rgb(22, 27, 30)');
  await tab.setViewportSize({ width: 390, height: 844 });
  const box = await drawn.filter({ visible: true }).boundingBox();
  assert.ok(
    box !== null && box.x >= 0 && box.x + box.width <= 390 && box.height > box.width,
    JSON.stringify(box),
  );
});
