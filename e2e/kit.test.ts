import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './open-browser.ts'
import { type StoryBook, type StoryOptions, serveStories } from './open-stories.ts'

let stories: StoryBook
let browser: Browser

beforeAll(async () => {
  stories = await serveStories()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stories?.stop()
})

async function open(story: string, options: StoryOptions = {}): Promise<Page> {
  return stories.open(browser, story, options)
}

/** Pauses timers until the clock is resumed, so that transient states are seen on slow machines, too. */
async function holdTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

const story = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

test('R267 R268 60 domains take three requests, option 57 has its label, the menu has the specified size', async () => {
  const page = await open('select')
  const domains = story(page, 'Loaded page by page, 57 looked up')
  await domains.getByText('mail57.example.com').waitFor()
  const questions = domains.locator('[data-questions]')
  const asked = async (): Promise<{ skip: number; limit: number; filters?: unknown[] }[]> =>
    JSON.parse((await questions.textContent()) ?? '[]')
  expect(await asked()).toEqual([
    expect.objectContaining({
      skip: 0,
      limit: 1,
      filters: [{ field: 'domain_id', operator: 'in', value: [57] }],
    }),
  ])

  await domains.getByRole('combobox').click()
  const list = page.getByRole('listbox')
  await list.getByRole('option').nth(24).waitFor()
  const { height } = (await list.boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThanOrEqual(300)
  expect(await list.evaluate(element => getComputedStyle(element).maxHeight)).toBe('300px')
  for (const count of [25, 50, 60]) {
    await expect.poll(() => list.getByRole('option').count()).toBe(count)
    await list.evaluate(element => element.scrollTo(0, element.scrollHeight))
  }
  const pages = (await asked()).filter(question => question.limit === 25)
  expect(pages.map(question => question.skip)).toEqual([0, 25, 50])

  const focused = () => page.getByRole('combobox').first().getAttribute('aria-activedescendant')
  await page.keyboard.press('Home')
  const first = await focused()
  await page.keyboard.press('PageDown')
  expect(Number((await focused())?.split('-').at(-1)) - Number(first?.split('-').at(-1))).toBe(5)
  await page.keyboard.press('PageUp')
  expect(await focused()).toBe(first)
  await page.context().close()
})

test('R141 a select shows that it is loading and that nothing matches', async () => {
  const page = await open('select', { lng: 'de' })
  const domains = story(page, 'Loaded page by page, 57 looked up')
  await domains.getByRole('combobox').waitFor()
  await holdTime(page)
  await domains.getByRole('combobox').click()
  await page.getByText('Lädt…').first().waitFor()
  await page.clock.resume()
  await page.keyboard.type('zzz')
  await page.getByText('Keine Einträge').first().waitFor()
  expect(await page.getByRole('listbox').getByRole('option').count()).toBe(0)
  await page.context().close()
})

test('R009 R267 a select whose code fails to load does not break the page and recovers', async () => {
  const page = await open('select', { lost: /select-box/ })
  const domain = story(page, 'Loaded page by page, 57 looked up')
  await domain.getByRole('status').filter({ hasText: 'Could not be loaded yet' }).waitFor()
  await domain.getByText('Questions').click()
  await page.unroute(/select-box/)
  await domain.getByRole('combobox').click()
  await page.getByRole('option', { name: 'mail1.example.com' }).click()
  await domain.getByText('mail1.example.com', { exact: true }).waitFor()
  expect(await page.getByText('Could not be loaded yet').count()).toBe(0)
  await page.context().close()
})

test('R009 R283 a rule builder whose code and styles fail to load is retried, at once by a button', async () => {
  const lost = /rule-builder-box/
  const page = await open('rules', { lng: 'de', lost })
  const region = story(page, 'Rules')
  const retry = region.getByRole('button', { name: 'Erneut versuchen' })
  await retry.waitFor()
  await holdTime(page)
  await page.unroute(lost)
  await retry.click()
  await region.getByRole('button', { name: 'Regel hinzufügen' }).first().waitFor()
  const builder = region.locator('[class*="_builder_"]')
  expect(await builder.evaluate(element => getComputedStyle(element).position)).toBe('relative')
  await page.context().close()
})

test('R269 R270 Müller offers nothing new, muller finds it, Mueller can be created', async () => {
  const page = await open('select')
  const input = story(page, 'Creatable').getByRole('combobox')
  await input.fill('Müller')
  await page.getByRole('option', { name: 'Müller (3)' }).waitFor()
  expect(await page.getByRole('option').allTextContents()).toEqual(['Müller (3)'])
  await input.fill('muller ')
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Müller (3)'])
  await input.fill('Mueller')
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual([expect.stringContaining('Mueller')])
  await page.keyboard.press('Enter')
  await story(page, 'Creatable').getByText('Mueller', { exact: true }).waitFor()
  await page.context().close()
})

test('R271 R272 a fixed option stays, a default one is removed after a confirmation', async () => {
  const page = await open('select')
  const several = story(page, 'Several; Maria is fixed, Ana a default')
  expect(await several.getByRole('button', { name: /Maria/ }).count()).toBe(0)
  const remove = several.getByRole('button', { name: /Ana/ })
  await remove.click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  await several.getByText('Ana', { exact: true }).waitFor()
  await remove.click()
  await question.getByRole('button', { name: 'OK' }).click()
  await several.getByText('Ana', { exact: true }).waitFor({ state: 'detached' })
  await several.getByText('Maria', { exact: true }).waitFor()
  await page.context().close()
})

test('R020 options show their screenshot', async () => {
  const page = await open('select')
  const pictures = story(page, 'With pictures')
  await pictures.getByRole('combobox').click()
  const thumbnail = page.getByRole('option', { name: /Welcome/ }).locator('img')
  expect(await thumbnail.getAttribute('src')).toContain('data:image/svg')
  await page.context().close()
})

test('R276 R282 an empty form lists all missing fields in one message, alternatives joined', async () => {
  const page = await open('form')
  const form = story(page, 'A new record; the server refuses')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Please fill in: Name, Relay host or Copy from, Start' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id.endsWith('-name'))).toBe(true)
  await page.context().close()
})

test('R278 R280 numbers are parsed according to the language', async () => {
  for (const [lng, typed, expected] of [
    ['en', '1.234,5', 1234.5],
    ['de', '1.234', 1234],
    ['en', '1.234', 1.23],
    ['de', 'abc', 0],
  ] as const) {
    const page = await open('fields', { lng })
    const form = story(page, 'Read as people write')
    await form.getByLabel('Amount').fill(typed)
    await form.getByLabel('Amount').blur()
    await expect
      .poll(async () => JSON.parse((await form.locator('[data-values]').textContent()) ?? '{}').amount)
      .toBe(expected)
    await page.context().close()
  }
})

test('a draft is offered after a reload, restored or discarded; undo restores a deleted record', async () => {
  const page = await open('form')
  const form = story(page, 'A record')
  await form.getByLabel('Name').fill('Winter newsletter')
  await page.reload()
  await form.getByText(/You have an unsaved draft/).waitFor()
  await form.getByRole('button', { name: 'Continue with the draft' }).click()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Winter newsletter')
  await page.reload()
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Autumn newsletter')
  await form.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Autumn newsletter” restored').waitFor()
  await page.context().close()
})

test('a pending search does not follow to the next screen', async () => {
  const page = await open('router')
  await holdTime(page)
  await page.getByRole('searchbox').fill('Row 1')
  await page.getByRole('link', { name: 'Slow' }).click()
  await page.clock.runFor(500)
  const href = page.locator('[data-href]')
  expect(await href.textContent()).toBe('/slow')
  await page.clock.resume()
  await page.getByText('Here at last').waitFor()
  expect(await href.textContent()).toBe('/slow')
  await page.context().close()
})

test('text typed during a save is kept and unsaved', async () => {
  const page = await open('form')
  const form = story(page, 'An editor in a form')
  const editor = form.getByRole('textbox', { name: 'Source' })
  await editor.click()
  await page.keyboard.type('before')
  await holdTime(page)
  const save = form.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await editor.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and meanwhile')
  await page.clock.resume()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await editor.textContent()).toBe('before and meanwhile')
  await form.getByText('Unsaved changes').waitFor()
  await page.context().close()
})

test('an unsaved form asks before it is left', async () => {
  const page = await open('router')
  await page.getByRole('link', { name: 'Form', exact: true }).click()
  await page.getByLabel('Name').fill('Changed')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Name').inputValue()).toBe('Changed')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('table', { name: 'Rows' }).waitFor()
  await page.context().close()
})

async function rules(): Promise<{ page: Page; builder: Locator; json: () => Promise<Query> }> {
  const page = await open('rules')
  const builder = story(page, 'Rules')
  const json = async (): Promise<Query> =>
    withoutIds(JSON.parse((await builder.locator('[data-json]').textContent()) ?? ''))
  return { page, builder, json }
}

interface Query {
  combinator?: string
  field?: string
  operator?: string
  value?: unknown
  not?: boolean
  disabled?: boolean
  match?: unknown
  rules?: Query[]
}

function withoutIds(query: Query & { id?: string }): Query {
  const { id: _id, rules: inner, ...rest } = query
  return inner ? { ...rest, rules: inner.map(withoutIds) } : rest
}

const fieldsOf = (query: Query): unknown[] =>
  (query.rules ?? []).map(entry => (entry.rules ? fieldsOf(entry) : entry.field))

test('R283 rules are added, cloned, moved, grouped, locked and removed, and all of it is undone', async () => {
  const { page, builder, json } = await rules()
  const fields = async () => fieldsOf(await json())
  const begin = await fields()
  expect(begin).toEqual(['city', 'birthday', ['points', 'opened', ['plan']]])
  const ruleAt = (path: string) => builder.locator(`[data-path="${path}"]`).first()
  const menu = async (path: string, item: string) => {
    await ruleAt(path).locator('[data-part="menu"]').first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu('[1]', 'Duplicate rule')
  await expect.poll(fields).toEqual(['city', 'birthday', 'birthday', ['points', 'opened', ['plan']]])
  await menu('[2]', 'Put rule into a group of its own')
  await expect.poll(fields).toEqual(['city', 'birthday', ['birthday'], ['points', 'opened', ['plan']]])
  await ruleAt('[0]').locator('[data-part="field"]').focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await expect.poll(fields).toEqual(['birthday', 'city', ['birthday'], ['points', 'opened', ['plan']]])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-part')))
    .toBe('field')
  await menu('[0]', 'Lock rule')
  await expect.poll(() => ruleAt('[0]').locator('[data-part="field"]').isDisabled()).toBe(true)
  await ruleAt('[1]').locator('[data-part="remove"]').first().click()
  await expect.poll(fields).toEqual(['birthday', ['birthday'], ['points', 'opened', ['plan']]])
  const combinator = builder.locator('[data-part="combinator"]').first()
  await combinator.selectOption('xor')
  await builder.locator('[data-part="not"]').first().check()
  await expect.poll(json).toMatchObject({ combinator: 'xor', not: true })
  await builder.getByText(/not \(exactly one of these/).waitFor()

  for (let step = 0; step < 7; step += 1) await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(fields).toEqual(begin)
  expect(await json()).toMatchObject({ combinator: 'and' })
  await builder.locator('[data-part="add"]').first().focus()
  await page.keyboard.press('Control+Shift+Z')
  await expect.poll(fields).toEqual(['city', 'birthday', 'birthday', ['points', 'opened', ['plan']]])
  await page.context().close()
})

test('R283 a moved rule keeps the focus, however fast keys are pressed', async () => {
  const { page, builder, json } = await rules()
  const fields = async () => fieldsOf(await json())
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-part'))
  // No frame is rendered between key presses.
  await page.evaluate(() => Object.assign(window, { requestAnimationFrame: () => 0 }))
  const ruleAt = (path: string) => builder.locator(`[data-path="${path}"]`).first()
  await ruleAt('[0]').locator('[data-part="field"]').focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await page.keyboard.press('Control+Shift+ArrowDown')
  expect(await fields()).toEqual(['birthday', ['city', 'points', 'opened', ['plan']]])
  expect(await focused()).toBe('field')
  await ruleAt('[1,1]').locator('[data-part="remove"]').first().focus()
  for (const left of [
    ['birthday', ['city', 'opened', ['plan']]],
    ['birthday', ['city', ['plan']]],
  ]) {
    await page.keyboard.press('Enter')
    expect(await fields()).toEqual(left)
  }
  expect(await focused()).toBe('add')
  await page.context().close()
})

test('R283 R286 a rule is dragged into a group, and not into a locked one', async () => {
  const { page, builder, json } = await rules()
  const drag = async (from: string, to: string) => {
    const handle = builder.locator(`[data-path="${from}"] > [data-part="drag"]`).first()
    await handle.scrollIntoViewIfNeeded()
    const a = await handle.boundingBox()
    const b = await builder.locator(`[data-path="${to}"]`).first().boundingBox()
    if (!a || !b) throw new Error('no box')
    await page.mouse.move(a.x + 8, a.y + 14)
    await page.mouse.down()
    await page.mouse.move(b.x + 60, b.y + b.height - 8, { steps: 4 })
    await page.waitForFunction(
      () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
    )
    await page.mouse.up()
  }
  const fields = async () => fieldsOf(await json())
  await drag('[0]', '[2,0]')
  await expect.poll(fields).toEqual(['birthday', ['points', 'city', 'opened', ['plan']]])
  await drag('[0]', '[1,3,0]')
  await expect.poll(fields).toEqual(['birthday', ['points', 'city', 'opened', ['plan']]])
  await page.context().close()
})

test('R283 a rule is dropped where the pointer is released, not at the last frame’s position', async () => {
  const { page, builder, json } = await rules()
  await page.evaluate(() => Object.assign(window, { requestAnimationFrame: () => 0 }))
  const handle = await builder.locator('[data-path="[0]"] > [data-part="drag"]').first().boundingBox()
  const target = await builder.locator('[data-path="[1]"]').first().boundingBox()
  if (!handle || !target) throw new Error('no box')
  await page.mouse.move(handle.x + 8, handle.y + 14)
  await page.mouse.down()
  await page.mouse.move(handle.x + 8, handle.y + 20)
  await page.mouse.move(target.x + 60, target.y + target.height - 4)
  await page.mouse.up()
  expect(fieldsOf(await json())).toEqual(['birthday', 'city', ['points', 'opened', ['plan']]])
  await page.context().close()
})

test('R284 R287 R288 another field resets the rule, a reversed pair is swapped, thresholds start at 1 and are never below 0', async () => {
  const { page, builder, json } = await rules()
  const first = builder.locator('[data-path="[0]"]').first()
  await first.locator('[data-part="field"]').selectOption('points')
  await expect
    .poll(async () => (await json()).rules?.[0])
    .toEqual({ field: 'points', operator: '=', value: '' })
  await first.locator('[data-part="operator"]').selectOption('between')
  await first.getByLabel('From').fill('9')
  await first.getByLabel('To').fill('1')
  await first.getByLabel('To').blur()
  await expect.poll(async () => (await json()).rules?.[0]?.value).toEqual([1, 9])
  await first.locator('[data-part="operator"]').selectOption('null')
  await expect.poll(() => first.getByRole('textbox').count()).toBe(0)
  await first.locator('[data-part="field"]').selectOption('clicked')
  for (const mode of ['all', 'some', 'none', 'atLeast', 'atMost', 'exactly']) {
    await first.locator('[data-part="match"]').first().selectOption(mode)
    const hasThreshold = mode.startsWith('at') || mode === 'exactly'
    await expect
      .poll(async () => (await json()).rules?.[0]?.match)
      .toEqual(hasThreshold ? { mode, threshold: 1 } : { mode })
  }
  await first.getByLabel('Number of times').fill('-3')
  await expect.poll(async () => (await json()).rules?.[0]?.match).toEqual({ mode: 'exactly', threshold: 0 })
  await page.context().close()
})

test('R285 R289 no group is added beyond the deepest level; several values are separated by commas', async () => {
  const { page, builder, json } = await rules()
  const values = builder.locator('[data-path="[0]"]').first().getByLabel('Values')
  await values.pressSequentially('Bonn,Ulm,')
  await expect
    .poll(async () => (await json()).rules?.[0]?.value)
    .toEqual(['Berlin', 'Köln', 'München', 'Bonn', 'Ulm'])
  const shallow = story(page, 'Nothing yet')
  await shallow.getByRole('button', { name: 'Add group' }).click()
  await expect.poll(() => shallow.getByRole('button', { name: 'Add group' }).first().isDisabled()).toBe(true)
  expect(await shallow.getByRole('button', { name: 'Add group' }).last().isEnabled()).toBe(true)
  await page.context().close()
})

test('R283 a rule shows a missing value once it was left', async () => {
  const { page, builder } = await rules()
  await builder.locator('[data-part="add"]').last().click()
  const added = builder.locator('[data-path="[3]"]').first()
  expect(await added.getByText('Enter a value').count()).toBe(0)
  await added.getByLabel('Value').focus()
  await added.getByLabel('Value').blur()
  await added.getByText('Enter a value').waitFor()
  await page.context().close()
})

test('a list is navigated and its columns are arranged by keyboard, and it is exported', async () => {
  const page = await open('list')
  const list = story(page, 'A list')
  await list.getByRole('link', { name: 'Newsletter 1', exact: true }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await list.getByText('1 selected').first().waitFor()
  await page.keyboard.press('/')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Search')

  await list.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  const up = columns.getByRole('button', { name: 'Move Changed up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await columns.getByRole('checkbox', { name: 'Type' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect
    .poll(() => list.getByRole('columnheader').allTextContents())
    .toEqual(['', 'Name', 'Active', 'Changed', 'Sent in 30 days', 'More actions'])

  for (const [item, ending] of [
    ['CSV file', '.csv'],
    ['Excel workbook', '.xlsx'],
  ] as const) {
    await list.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    expect(download.suggestedFilename()).toContain(ending)
  }
  await page.context().close()
})

test('a list of 10,000 rows only renders visible rows', async () => {
  const page = await open('list')
  const countMost = () => {
    let most = 0
    const count = () => (most = Math.max(most, document.querySelectorAll('tr').length))
    new MutationObserver(count).observe(document, { childList: true, subtree: true })
    Object.assign(window, { mostRows: () => most })
  }
  await page.addInitScript(countMost)
  await page.reload()
  const list = story(page, '10,000 rows at once')
  await list.getByRole('row').nth(3).waitFor()
  // Not even before the list had a height. The page has other lists, too.
  expect(await page.evaluate('mostRows()')).toBeLessThan(600)
  expect(await list.getByRole('row').count()).toBeLessThan(80)
  expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('10001')
  await page.context().close()
})

test('a calendar moves items by mouse and keyboard, and reverts rejected moves', async () => {
  const page = await open('calendar')
  // The campaigns of the story are in November 2026, and items cannot be moved into the past.
  await page.clock.setFixedTime('2026-11-04T06:00:00Z')
  await page.reload()
  const month = story(page, 'Month; what is scheduled can be moved')
  await month.locator('td[data-day="2026-11-03"][data-past]').waitFor()
  const item = month.locator('[data-item="1"]')
  await item.dragTo(month.locator('td[data-day="2026-11-05"]'))
  await month.locator('td[data-day="2026-11-05"] [data-item="1"]').waitFor()
  await item.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await month.locator('td[data-day="2026-11-13"] [data-item="1"][data-carried]').waitFor()
  await page.keyboard.press('Escape')
  await month.locator('td[data-day="2026-11-05"] [data-item="1"]').waitFor()
  await item.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await month.locator('td[data-day="2026-11-06"] [data-item="1"]:not([data-carried])').waitFor()
  const refused = month.locator('[data-item="11"]')
  await refused.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByText('This campaign starts within the minute').waitFor()
  await month.locator('td[data-day="2026-11-24"] [data-item="11"]').waitFor()

  // Items cannot be moved to a past day, by mouse or by keyboard.
  await item.dragTo(month.locator('td[data-day="2026-11-03"]'))
  await month.locator('td[data-day="2026-11-06"] [data-item="1"]').waitFor()
  await item.focus()
  await page.keyboard.press('m')
  for (let day = 0; day < 3; day++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('The start has to be in the future.').waitFor()
  await month.locator('td[data-day="2026-11-06"] [data-item="1"]:not([data-carried])').waitFor()

  // Each move can be undone.
  await item.dragTo(month.locator('td[data-day="2026-11-12"]'))
  await month.locator('td[data-day="2026-11-12"] [data-item="1"]').waitFor()
  const moved = page.getByRole('status').filter({ hasText: 'moved to Nov 12, 2026' })
  await moved.getByRole('button', { name: 'Undo' }).click()
  await month.locator('td[data-day="2026-11-06"] [data-item="1"]').waitFor()
  expect(await month.locator('[data-item="1"]').count()).toBe(1)
  await page.context().close()
})

test('uploads are paused, resumed and retried, and rejected for a wrong type', async () => {
  const page = await open('upload')
  const box = story(page, 'Upload')
  await holdTime(page)
  const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2\n') })
  await box.locator('input[type=file]').setInputFiles([file('one.csv'), file('bad.csv'), file('tool.exe')])
  await box.getByText(/tool.exe is not one of/).waitFor()
  await box.getByRole('button', { name: 'Pause upload of one.csv' }).click()
  await box.getByText('paused, restarts from the beginning').waitFor()
  await page.clock.resume()
  await box.getByText('The file is not UTF-8: line 12').waitFor()
  await box.getByRole('button', { name: 'Upload bad.csv again' }).waitFor()
  await box.getByRole('button', { name: 'Continue upload of one.csv' }).click()
  await page.getByText('one.csv is in').waitFor()
  expect(await page.getByText('tool.exe is in').count()).toBe(0)
  await page.context().close()
})

test('charts export figures and image, and show a table', async () => {
  const page = await open('charts')
  const chart = story(page, 'Over time')
  await chart.locator('svg').first().waitFor()
  for (const [item, ending] of [
    ['Figures as CSV', '.csv'],
    ['Picture as PNG', '.png'],
  ] as const) {
    await chart.getByRole('button', { name: /^Download/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    expect(download.suggestedFilename()).toContain(ending)
  }
  await chart.getByRole('button', { name: 'Show as table' }).click()
  await expect.poll(() => chart.getByRole('row').count()).toBe(49)
  await page.context().close()
})

test('links in a message preview are disabled, including templates, shadow roots and SVG links', async () => {
  const page = await open('mail')
  const frame = story(page, 'Preview').locator('iframe')
  const source = (await frame.getAttribute('srcdoc')) ?? ''
  expect(source).not.toMatch(/<script|refresh|onclick|onerror|<set\b|_top|<math[^>]*href/i)
  const links = await frame.contentFrame().locator('a').all()
  expect(await Promise.all(links.map(link => link.getAttribute('target')))).toEqual([
    '_blank',
    '_blank',
    '_blank',
  ])
  await page.context().close()
})
