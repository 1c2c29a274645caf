import { randomUUID } from 'node:crypto'
import english from '../apps/console/src/features/content/texts/en.json' with { type: 'json' }
import { columnRule, sectionHtml } from '../apps/console/src/features/content/design/sections/section-html.ts'
import { sectionNames, sectionSource } from '../apps/console/src/features/content/design/sections/sections.ts'
import { brandValues } from '@emma/contract/client-brand.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from './api-session.ts'
import { inspect } from './inspect.ts'
import { adminPassword, type RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { allowFaults } from './page-faults.ts'
import { CONSOLE_ROLES, startEmma } from './start-emma.ts'

/** As developers write it: entities, single quotes, unusual indentation, Windows line ends. */
const mjml = [
  '<mjml>',
  "<mj-body background-color='#f4f4f5'>",
  '   <mj-section   background-color="#ffffff">',
  '     <mj-column>',
  '       <mj-text font-size="26px">Autumn &amp; winter</mj-text>',
  '       <mj-text>Hello {{ member.firstname | default: "you" }},&nbsp;<b>welcome</b>.</mj-text>',
  '       <mj-button href="https://example.com/">Read more</mj-button>',
  '       <!-- imprint -->',
  '       <mj-text>{{ module.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></mj-text>',
  '     </mj-column>',
  '   </mj-section>',
  '</mj-body>',
  '</mjml>',
].join('\r\n')

let emma: RunningEmma
let browser: Browser
let api: ApiSession
let page: Page
let canvas: FrameLocator

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
  api = await openApi(emma)
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Creates a template and opens it; returns its stored source. */
async function openTemplate(fields: object): Promise<() => Promise<string>> {
  const { message_id: id } = await api.post('/emma/message/', {
    name: 'Edited',
    subject: 'Autumn',
    ...fields,
  })
  await page.goto(`${emma.url}/templates/edit/${id}`)
  canvas = page.frameLocator('iframe[title="Mail"]')
  return async () => {
    const { body_mjml, body_long } = await api.get(`/emma/message/${id}`)
    return body_mjml ?? body_long
  }
}

/** Drags the selected block to the upper edge of a text. Playwright's own drag runs scripts in the frame, which has none. */
async function dragInCanvas(text: string, targetText: string): Promise<void> {
  await page.evaluate(
    texts => {
      const mail = document.querySelector<HTMLIFrameElement>('iframe[title="Mail"]')?.contentDocument
      const [dragged, target] = texts.map(one =>
        [...(mail?.querySelectorAll('*') ?? [])].findLast(element => element.textContent?.trim() === one),
      )
      const { x = 0, y = 0 } = target?.getBoundingClientRect() ?? {}
      const event = { bubbles: true, cancelable: true, clientX: x + 10, clientY: y + 1 }
      dragged?.dispatchEvent(new DragEvent('dragstart', event))
      target?.dispatchEvent(new DragEvent('dragover', event))
      target?.dispatchEvent(new DragEvent('drop', event))
    },
    [text, targetText],
  )
}

function templateId(): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** A second user who may edit templates. */
async function addEditor(): Promise<void> {
  const { data } = await api.get('/role/')
  await api.post('/user/', {
    username: 'olive',
    firstname: 'Olive',
    lastname: 'Other',
    email: 'olive@example.test',
    password: adminPassword,
    roles: [data.find((role: { name: string }) => role.name === 'Administrator')?.id],
    clients: [1],
  })
}

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
}

test('R129 a headline is changed in place: one line of a foreign template differs', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await canvas.getByText('Autumn & winter').dblclick()
  await page.keyboard.press('End')
  await page.keyboard.type(' <2026>')
  await page.getByRole('button', { name: 'Done' }).click()
  await canvas.getByText('Autumn & winter <2026>').waitFor()
  await inspect(page, 'editor')
  await save()
  expect(await stored()).toBe(mjml.replace('Autumn &amp; winter', 'Autumn &amp; winter &lt;2026&gt;'))
})

test('R129 text around a placeholder is changed, and the placeholder stays', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await canvas.getByText('welcome').dblclick()
  await canvas.getByText('member.firstname').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Enjoy')
  await page.keyboard.press('Escape')
  await canvas.getByText(/Hello Alex.*Enjoy/).waitFor()
  await save()
  expect(await stored()).toBe(mjml.replace('</b>.', '</b>. Enjoy'))
})

test('R129 blocks are moved, duplicated, removed and added by keyboard; undo returns every byte', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await canvas.getByText('Autumn & winter').waitFor()
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  const selected = blocks.getByRole('treeitem', { selected: true })
  await blocks.focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => selected.innerText()).toContain('Autumn &amp; winter')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => blocks.getByRole('treeitem').nth(3).innerText()).toContain('Hello')
  await page.keyboard.press('Control+d')
  await expect.poll(() => blocks.getByText('Autumn').count()).toBe(2)
  await page.keyboard.press('Control+x')
  await expect.poll(() => blocks.getByText('Autumn').count()).toBe(1)
  await page.keyboard.press('Control+v')
  await expect.poll(() => blocks.getByText('Autumn').count()).toBe(2)
  await page.keyboard.press('Delete')
  await expect.poll(() => blocks.getByText('Autumn').count()).toBe(1)
  await page.getByRole('button', { name: 'Add block' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: '2 columns' }).press('Enter')
  await expect.poll(() => canvas.getByText('Your text').count()).toBe(2)
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  for (let step = 0; step < 6; step++) await undo.click()
  expect(await undo.isDisabled()).toBe(true)
  await expect.poll(() => canvas.getByText('Your text').count()).toBe(0)
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  expect(await stored()).toBe(mjml)
})

test('R129 versions are compared as text and rendered, and the first is restored by keyboard', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  const changed = mjml.replace('Autumn', 'Spring')
  await addEditor()
  const olive = await openApi(emma, 'olive')
  await olive.patch(`/emma/message/${templateId()}`, { subject: 'Spring', body_mjml: changed })
  const window_id = randomUUID()
  await olive.post(`/v2/emma/client/1/message/${templateId()}/editors`, { window_id })
  await page.reload()
  await page.getByText('Olive Other is editing this template too.').waitFor()
  await page.getByRole('button', { name: 'Versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  await dialog.getByRole('radio', { name: /Olive Other/ }).waitFor()
  await dialog.getByRole('row', { name: 'Subject Autumn Spring' }).waitFor()
  await dialog.getByRole('region', { name: 'MJML' }).getByText('Spring').waitFor()
  await inspect(page, 'editor-versions-text')
  await dialog.getByText('Rendered').click()
  const mails = dialog.locator('iframe[title="Preview of the mail"]')
  await expect.poll(() => mails.first().getAttribute('srcdoc')).toContain('Autumn &amp; winter')
  await expect.poll(() => mails.last().getAttribute('srcdoc')).toContain('Spring &amp; winter')
  await inspect(page, 'editor-versions-rendered')
  await dialog.getByRole('button', { name: 'Restore this version' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await canvas.getByText('Autumn & winter').waitFor()
  expect(await stored()).toBe(mjml)
})

test('R129 changes that two users save at once are merged by lines; the same line is left to choose', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  const typeAtEnd = async (heading: string, text: string) => {
    await canvas.getByText(heading).dblclick()
    await page.keyboard.press('End')
    await page.keyboard.type(text)
    await page.getByRole('button', { name: 'Done' }).click()
    await canvas.getByText(`${heading}${text}`).waitFor()
  }
  const saveElsewhere = (body_mjml: string) => api.patch(`/emma/message/${templateId()}`, { body_mjml })
  await typeAtEnd('Autumn & winter', ' 2026')
  await saveElsewhere(mjml.replace('Read more', 'Read on'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('They were merged with yours.').waitFor()
  await canvas.getByText('Read on').waitFor()
  const mine = mjml.replace('winter', 'winter 2026')
  const both = mine.replace('Read more', 'Read on')
  expect(await stored()).toBe(both)
  await page.getByRole('button', { name: 'Use only my version' }).click()
  await canvas.getByText('Read more').waitFor()
  await save()
  expect(await stored()).toBe(mine)

  await typeAtEnd('Autumn & winter 2026', '!')
  await saveElsewhere(both.replace('2026', '2027'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Someone else changed this in the meantime' }).waitFor()
  await inspect(page, 'editor-conflict')
  await page.getByRole('radio', { name: 'Keep your version of MJML, line 5' }).check()
  await page.getByRole('button', { name: 'Save this version' }).click()
  await canvas.getByText('Autumn & winter 2026!').waitFor()
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  expect(await stored()).toBe(both.replace('2026', '2026!'))
})

test('R183 a suggested subject is taken over by keyboard, and shown as in the inbox of a phone', async () => {
  await openTemplate({ body_mjml: mjml })
  await canvas.getByText('Autumn & winter').waitFor()
  await page.getByRole('button', { name: 'Suggestions' }).press('Enter')
  const suggestions = page.getByRole('dialog', { name: 'Suggestions' })
  await suggestions.getByText('Friendly').click()
  await suggestions.getByRole('button', { name: /^For you: Autumn & winter/ }).waitFor()
  await inspect(page, 'editor-subjects')
  await suggestions.getByRole('button', { name: /^For you: Autumn & winter/ }).press('Enter')
  const inbox = page.getByRole('region', { name: 'In the inbox of a phone' })
  await inbox.getByText('For you: Autumn & winter').waitFor()
  await page.getByText('24 characters · shown in full on phones and desktops').waitFor()
  await save()
  expect(await api.get(`/emma/message/${templateId()}`)).toMatchObject({
    subject: 'For you: Autumn & winter',
  })
})

test('R129 the source is edited as code: what was not typed keeps its line ends', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.locator('.cm-content').first().click()
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await page.keyboard.press('Control+Home')
  await page.keyboard.insertText('<!-- mine -->')
  await page.keyboard.press('Enter')
  await save()
  expect(await stored()).toBe(`<!-- mine -->\r\n${mjml}`)
})

test('R129 a block is dragged to another place', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  const button = canvas.getByText('Read more')
  await button.click()
  await canvas.locator('[data-canvas=selected]').waitFor()
  await dragInCanvas('Read more', 'Autumn & winter')
  await expect.poll(() => page.getByRole('treeitem').nth(3).innerText()).toContain('Read more')
  await save()
  const line = '       <mj-button href="https://example.com/">Read more</mj-button>\r\n'
  expect(await stored()).toBe(
    mjml.replace(line, '').replace('       <mj-text font', `${line}       <mj-text font`),
  )
})

test('R129 attributes, conditions and dark mode are changed at the selected block', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await canvas.getByText('Read more').click()
  await page.getByRole('textbox', { name: 'Link to' }).fill('https://example.com/autumn?a=1&b=2')
  await page.getByRole('textbox', { name: 'Background in dark mode' }).fill('#112233')
  const condition = page.getByRole('textbox', { name: 'As Liquid' })
  await condition.fill('member.city %} and')
  await condition.press('Enter')
  await page.getByText('This change is not possible').waitFor()
  await page.getByRole('button', { name: 'Add condition' }).click()
  const rules = page.getByRole('dialog')
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await rules.locator('select[data-part=field]').selectOption('city')
  await rules.getByRole('textbox').fill('Nowhere')
  await inspect(page, 'condition of a block')
  await rules.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => canvas.getByText('Read more').count()).toBe(0)
  await page.getByRole('button', { name: 'Conditions', exact: true }).click()
  await page.getByText('Met', { exact: true }).click()
  await expect.poll(() => canvas.getByText('Read more').count()).toBe(1)
  await page.keyboard.press('Escape')
  await save()
  const source = await stored()
  expect(source).toContain('href="https://example.com/autumn?a=1&b=2"')
  expect(source).toMatch(/\{% if member\.city == "Nowhere" %\}\s*<mj-button/)
  expect(source).toContain(' css-class="emma-dark-button-112233">Read more')
})

test('R129 a mail runs nothing in the editor, and stays as it is', async () => {
  const html =
    '<body><p onclick="top.ran = 1">One <img src="https://pictures.invalid/a.png" alt="" onerror="top.ran = 1"></p><script>top.ran = 1</script><a href="https://example.com/" onclick="top.ran = 1">Two</a></body>'
  const stored = await openTemplate({ body_long: html })
  allowFaults(/inline event handler violates/)
  await canvas.getByText('One').click()
  await canvas.getByText('Two').click()
  await canvas.getByText('One').dblclick()
  await page.keyboard.type('x')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
  expect(await stored()).toBe(html)
})

test('R129 an image is uploaded in the picker and by dropping it: source, alternative text and width change', async () => {
  const before = mjml.replace('<!-- imprint -->', '<mj-image src="old.png" alt="" width="300px" />')
  const stored = await openTemplate({ body_mjml: before })
  await page.getByRole('treeitem').filter({ hasText: 'Image' }).click()
  await page.getByRole('button', { name: 'Choose image: Image URL' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All files').waitFor()
  await inspect(page, 'image picker')
  const transfer = await page.evaluateHandle(async () => {
    const drawing = new OffscreenCanvas(200, 100)
    drawing.getContext('2d')
    const drawn = await drawing.convertToBlob({ type: 'image/png' })
    const data = new DataTransfer()
    data.items.add(new File([drawn], 'cup.png', { type: 'image/png' }))
    return data
  })
  const dropZone = dialog.getByRole('button', { name: /Drop a file/ }).first()
  await dropZone.dispatchEvent('drop', { dataTransfer: transfer })
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => canvas.locator('img[width="200"]').count()).toBe(1)
  await page.evaluate(data => {
    const mail = document.querySelector<HTMLIFrameElement>('iframe[title="Mail"]')?.contentDocument
    const button = [...(mail?.querySelectorAll('a') ?? [])].find(
      ({ textContent }) => textContent?.trim() === 'Read more',
    )
    button?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
  }, transfer)
  await expect.poll(() => canvas.locator('img[width="200"]').count()).toBe(2)
  await save()
  const lines = (await stored()).split('\r\n')
  const [first, second, ...more] = lines.filter(line => !before.split('\r\n').includes(line))
  expect(more).toEqual([])
  expect(first).toMatch(/^ {7}<mj-image src="http[^"]*\/files\/\d+\/[\w-]+\.png" alt="" width="200px" \/>$/)
  expect(second).toMatch(/^ {7}<mj-image src="http[^"]*\/files\/\d+\/[\w-]+\.png" alt="" width="200px" \/>$/)
})

test('R129 a section of the library is found by name and inserted by keyboard after the selected one', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  await canvas.getByText('Autumn & winter').click()
  await page.getByRole('button', { name: 'Sections' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await inspect(page, 'section library')
  await dialog.getByLabel('Search sections').fill('quote')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Quote', exact: true }).press('Enter')
  await canvas.getByText('Alex Sample').waitFor()
  await save()
  const [before, after = ''] = (await stored()).split(
    /(?<=<\/mj-section>)(?=\r\n {3}<mj-section background-color="#ffffff" padding)/,
  )
  expect(before + after.slice(after.indexOf('</mj-section>') + 13)).toBe(mjml)
  expect(after).not.toMatch(/[^\r]\n/)
})

test('R129 no section of the library is wider than a phone', async () => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 640 } })
  const { sample } = english.content.design
  const mails = sectionNames.flatMap(({ name }) => {
    const source = sectionSource(name, 'light', sample)
    return [
      { name, html: '', mjml: `<mjml><mj-body>${source}</mj-body></mjml>` },
      { name, html: `<body style="margin: 0">${columnRule}${sectionHtml(source)}</body>` },
    ]
  })
  for (const { name, ...parts } of mails) {
    const { html } = await compileContent({
      subject: '',
      preheader: '',
      ...parts,
      text: '-',
      modules: [],
      known: { member: [] },
      brand: brandValues({ name: 'Northwind Coffee' }),
      trackingBase: emma.url,
      isTracked: false,
    })
    await phone.setContent(html.filter(piece => typeof piece === 'string').join(''))
    const isTooWide = await phone.evaluate(() => document.documentElement.scrollWidth > 360)
    expect({ name, isTooWide }).toEqual({ name, isTooWide: false })
  }
  await phone.close()
})

test('R129 a section becomes a synced block: the template follows it, until it is detached', async () => {
  const stored = await openTemplate({ body_mjml: mjml })
  const section = /<mj-section[\s\S]*<\/mj-section>/.exec(mjml)?.[0] ?? ''
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Synced blocks' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await canvas.getByText('Autumn & winter').click()
  await choose('Save section as synced block')
  await page.getByRole('dialog').getByLabel('Name').fill('Autumn news')
  await inspect(page, 'synced block')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
  await canvas.getByText('Autumn & winter').waitFor()
  await save()
  expect(await stored()).toBe(mjml.replace(section, '{{ module.autumn_news }}'))
  const changed = section.replace('Autumn', 'Winter')
  const outline = page.getByRole('tree', { name: 'Blocks of the mail' })
  await outline.getByRole('treeitem').first().click()
  await canvas.getByText('Autumn & winter').click()
  await outline.getByRole('treeitem', { name: 'Synced block Autumn news', selected: true }).waitFor()
  await outline.focus()
  await outline.press('Home')
  await outline.press('End')
  await outline.getByRole('treeitem', { name: 'Synced block Autumn news', selected: true }).waitFor()
  await outline.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('region', { name: 'Used in' }).getByRole('link').first().waitFor()
  await inspect(page, 'source of a synced block')
  await dialog.getByLabel('MJML (en)').fill(changed)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await canvas.getByText('Winter & winter').waitFor()
  await choose('Detach “Autumn news”')
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(7)
  await save()
  expect(await stored()).toBe(mjml.replace(section, changed))
})
