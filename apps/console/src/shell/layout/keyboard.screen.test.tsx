import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { DemoState } from '../../demo/demo-call.ts'
import type { DemoPlaceholder, DemoSegment } from '../../demo/demo-records.ts'
import { renderScreen } from '../../test/render-screen.tsx'
import { allowFaults } from '../../test/screen-faults.ts'

/** Maximum number of Tab presses to reach an element. */
const mostSteps = 120

test('a list: move, select, open, search, row menu', async () => {
  await renderScreen('/templates/placeholders', state =>
    addPlaceholders(state, ['Apple', 'Banana', 'Cherry']),
  )
  await shownFirst('Placeholders')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })

  await expect.element(row('Apple')).toBeVisible()
  await press('/')
  await userEvent.keyboard('an')
  await expect.element(row('Apple')).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}a{/Control}')
  await press('{Delete}')
  await expect.element(row('Apple')).toBeVisible()
  await press('{Escape}')
  await tabTo(page.getByRole('link', { name: 'Apple' }))

  await press('j')
  await press('j')
  await press('k')
  await press('x')
  await expect.element(page.getByText('1 selected')).toBeVisible()
  await press('{Escape}')
  await expect.element(page.getByText('1 selected')).not.toBeInTheDocument()

  const actions = row('Banana').getByRole('button', { name: /Banana/ })
  await tabTo(actions)
  await press('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expectFocusIn(page.getByRole('menu'))
  await press('{Escape}')
  await expect.element(page.getByRole('menuitem').first()).not.toBeInTheDocument()
  await expectFocus(actions)
  await tabTo(page.getByRole('link', { name: 'Banana' }), backwards)
  await press('{Enter}')
  await shown('Banana')
})

test('R015 a record is created, changed, and deleted after a confirmation that traps and restores the focus', async () => {
  // The screen of the deleted record reads it once more before it is left.
  allowFaults(/^404 GET \/emma\/placeholder\/\d+$/)
  await renderScreen('/templates/placeholders')
  await shownFirst('Placeholders')
  await tabTo(page.getByRole('link', { name: 'New placeholder' }))
  await press('{Enter}')
  await shown('New placeholder')
  await tabTo(page.getByRole('textbox', { name: 'Name' }))
  await userEvent.keyboard('Salutation')
  await tabTo(page.getByRole('textbox', { name: 'Token' }))
  await userEvent.keyboard('{Control>}a{/Control}salutation')
  await press('{Control>}s{/Control}')
  await shown('Placeholders')
  await tabTo(page.getByRole('link', { name: 'Salutation' }))
  await press('{Enter}')
  await shown('Salutation')
  await tabTo(page.getByRole('textbox', { name: 'Name' }))
  await userEvent.keyboard('{End}s')
  await press('{Control>}s{/Control}')
  await shown('Salutations')

  const remove = page.getByRole('button', { name: 'Delete', exact: true })
  await tabTo(remove)
  await press('{Enter}')
  const dialog = page.getByRole('dialog')
  await expectFocusIn(dialog)
  for (let step = 0; step < 5; step++) {
    await press('{Tab}')
    expect(dialog.element().contains(document.activeElement)).toBe(true)
  }
  await press('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expectFocus(remove)
  await press('{Enter}')
  await tabTo(dialog.getByRole('button', { name: 'Delete' }))
  await press('{Enter}')
  await shown('Placeholders')
  await expect.element(page.getByRole('link', { name: 'Salutations' })).not.toBeInTheDocument()
})

test('the palette opens anywhere and restores the focus', async () => {
  await renderScreen('/templates/placeholders')
  await shownFirst('Placeholders')
  const search = page.getByRole('button', { name: /^Search/ })
  const input = page.getByRole('textbox', { name: 'Search' })
  await tabTo(search)
  await press('{Control>}k{/Control}')
  await expectFocus(input)
  await press('{Escape}')
  await expect.element(input).not.toBeInTheDocument()
  await expectFocus(search)
  await press('{Control>}k{/Control}')
  await expectFocus(input)
  await userEvent.keyboard('segm')
  await expect.element(page.getByRole('button', { name: /^Segments/ })).toBeVisible()
  await press('{Enter}')
  await shown('Segments')
})

test('R289 the rules of a segment are added, moved and undone', async () => {
  await renderScreen('/subscribers/segments/edit/9001', addRegulars)
  await shownFirst('Regulars in Berlin and Hamburg')
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  const fields = () =>
    rules
      .css('select[data-part="field"]')
      .elements()
      .map(field => (field instanceof HTMLSelectElement ? field.value : null))
  await expect.poll(fields).toEqual(['city', 'points'])
  await tabTo(rules.getByRole('combobox', { name: 'Field' }).nth(1))
  await press('{Control>}{Shift>}{ArrowUp}{/Shift}{/Control}')
  await expect.poll(fields).toEqual(['points', 'city'])
  await expectFocus(rules.getByRole('combobox', { name: 'Field' }).first())
  await press('{Control>}z{/Control}')
  await expect.poll(fields).toEqual(['city', 'points'])

  await tabTo(rules.getByRole('button', { name: 'Add rule' }).first())
  await press('{Enter}')
  await expect.poll(() => fields().length).toBe(3)
  await notLost()
  await tabTo(rules.getByRole('button', { name: 'Remove rule' }).last(), backwards)
  await press('{Enter}')
  await expect.poll(() => fields().length).toBe(2)
  await notLost()
})

async function addPlaceholders({ tables }: DemoState, names: readonly string[]): Promise<void> {
  const placeholders = tables<DemoPlaceholder>('placeholder')
  const [placeholder] = await placeholders.all()
  if (!placeholder) throw new Error('The demo has no placeholder')
  await placeholders.putAll(
    names.map((name, at) => [
      9500 + at,
      { ...placeholder, module_id: 9500 + at, name, token: name.toLowerCase(), body: { en: name } },
    ]),
  )
}

async function addRegulars({ tables }: DemoState): Promise<void> {
  const segments = tables<DemoSegment>('segment')
  const segment = await segments.get(9001)
  if (!segment) throw new Error('The demo has no segment 9001')
  await segments.put(9001, {
    ...segment,
    name: 'Regulars in Berlin and Hamburg',
    query: {
      combinator: 'and',
      rules: [
        { field: 'city', operator: 'in', value: ['Berlin', 'Hamburg'] },
        { field: 'points', operator: '>=', value: 100 },
      ],
    },
  })
}

const backwards = { shift: true }

/** Presses a key and checks that the focus is not lost. */
async function press(key: string): Promise<void> {
  await userEvent.keyboard(key)
  await notLost()
}

/** The focus may be on the body for a moment while elements are replaced. */
async function notLost(): Promise<void> {
  await expect.poll(() => document.activeElement === document.body).toBe(false)
}

/** Presses Tab until the element is focused. */
async function tabTo(target: Locator, options: { shift?: boolean } = {}): Promise<void> {
  await expect.element(target).toBeInTheDocument()
  for (let step = 0; step < mostSteps; step++) {
    // Queried each time, since the element may have been rendered again.
    if (target.query() === document.activeElement) return
    await userEvent.tab(options)
  }
  throw new Error(`${target.asLocator()} cannot be reached`)
}

async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.query() === document.activeElement).toBe(true)
}

/** Dialogs take the focus shortly after they are visible; earlier key presses go to the page behind. */
async function expectFocusIn(target: Locator): Promise<void> {
  await expect.poll(() => target.query()?.contains(document.activeElement)).toBe(true)
}

async function shown(heading: string): Promise<void> {
  await expect.element(headingOf(heading)).toBeVisible()
  await notLost()
}

/** The first screen does not take the focus. */
async function shownFirst(heading: string): Promise<void> {
  await expect.element(headingOf(heading)).toBeVisible()
}

function headingOf(name: string): Locator {
  return page.getByRole('heading', { level: 1, name })
}
