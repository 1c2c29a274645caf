import { expect, onTestFinished, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { renderStory, storyOf } from './render-story.tsx'

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

const builder = storyOf('Rules')

const ruleAt = (path: string) => builder.css(`[data-path="${path}"]`).first()

/** Elements of a rule, or of the rules inside it. */
const partOf = (rule: Locator, part: string) => rule.css(`[data-part="${part}"]`)

const json = (): Query => withoutIds(JSON.parse(builder.css('[data-json]').element().textContent))
const fields = () => fieldsOf(json())
const focusedPart = () => document.activeElement?.getAttribute('data-part')

test('R283 rules are added, cloned, moved, grouped, locked and removed, and all of it is undone', async () => {
  await renderRules()
  const begin = fields()
  expect(begin).toEqual(['city', 'birthday', ['points', 'opened', ['plan']]])
  await choose('[1]', 'Duplicate rule')
  await expect.poll(fields).toEqual(['city', 'birthday', 'birthday', ['points', 'opened', ['plan']]])
  await choose('[2]', 'Put rule into a group of its own')
  await expect.poll(fields).toEqual(['city', 'birthday', ['birthday'], ['points', 'opened', ['plan']]])
  focus(partOf(ruleAt('[0]'), 'field'))
  await userEvent.keyboard('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}')
  await expect.poll(fields).toEqual(['birthday', 'city', ['birthday'], ['points', 'opened', ['plan']]])
  await expect.poll(focusedPart).toBe('field')
  await choose('[0]', 'Lock rule')
  await expect.element(partOf(ruleAt('[0]'), 'field')).toBeDisabled()
  await partOf(ruleAt('[1]'), 'remove').first().click()
  await expect.poll(fields).toEqual(['birthday', ['birthday'], ['points', 'opened', ['plan']]])
  await partOf(builder, 'combinator').first().selectOptions('xor')
  await partOf(builder, 'not').first().click()
  await expect.poll(json).toMatchObject({ combinator: 'xor', not: true })
  await expect.element(builder.getByText(/not \(exactly one of these/)).toBeVisible()

  for (let step = 0; step < 7; step += 1) await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(fields).toEqual(begin)
  expect(json()).toMatchObject({ combinator: 'and' })
  focus(partOf(builder, 'add').first())
  await userEvent.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
  await expect.poll(fields).toEqual(['city', 'birthday', 'birthday', ['points', 'opened', ['plan']]])
})

test('R283 a moved rule keeps the focus, however fast keys are pressed', async () => {
  await renderRules()
  withoutFrames()
  focus(partOf(ruleAt('[0]'), 'field'))
  await userEvent.keyboard('{Control>}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{/Control}')
  expect(fields()).toEqual(['birthday', ['city', 'points', 'opened', ['plan']]])
  expect(focusedPart()).toBe('field')
  focus(partOf(ruleAt('[1,1]'), 'remove').first())
  for (const left of [
    ['birthday', ['city', 'opened', ['plan']]],
    ['birthday', ['city', ['plan']]],
  ]) {
    await userEvent.keyboard('{Enter}')
    expect(fields()).toEqual(left)
  }
  expect(focusedPart()).toBe('add')
})

test('R283 R286 a rule is dragged into a group, and not into a locked one', async () => {
  await renderRules()
  const drag = async (from: string, to: string) => {
    const handle = handleOf(from)
    handle.scrollIntoView({ block: 'center' })
    const [a, b] = [handle.getBoundingClientRect(), ruleAt(to).element().getBoundingClientRect()]
    const end = { x: b.x + 60, y: b.y + b.height - 8 }
    await userEvent.pointer([
      { coords: { x: a.x + 8, y: a.y + 14 } },
      '[MouseLeft>]',
      { coords: { x: (a.x + end.x) / 2, y: (a.y + end.y) / 2 } },
      { coords: end },
    ])
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await userEvent.pointer('[/MouseLeft]')
  }
  await drag('[0]', '[2,0]')
  await expect.poll(fields).toEqual(['birthday', ['points', 'city', 'opened', ['plan']]])
  await drag('[0]', '[1,3,0]')
  await expect.poll(fields).toEqual(['birthday', ['points', 'city', 'opened', ['plan']]])
})

test('R283 a rule is dropped where the pointer is released, not at the last frame’s position', async () => {
  await renderRules()
  withoutFrames()
  const handle = handleOf('[0]').getBoundingClientRect()
  const target = ruleAt('[1]').element().getBoundingClientRect()
  await userEvent.pointer([
    { coords: { x: handle.x + 8, y: handle.y + 14 } },
    '[MouseLeft>]',
    { coords: { x: handle.x + 8, y: handle.y + 20 } },
    { coords: { x: target.x + 60, y: target.y + target.height - 4 } },
    '[/MouseLeft]',
  ])
  expect(fields()).toEqual(['birthday', 'city', ['points', 'opened', ['plan']]])
})

test('R284 R287 R288 another field resets the rule, a reversed pair is swapped, thresholds start at 1 and are never below 0', async () => {
  await renderRules()
  const first = ruleAt('[0]')
  const rule = () => json().rules?.[0]
  await partOf(first, 'field').selectOptions('points')
  await expect.poll(rule).toEqual({ field: 'points', operator: '=', value: '' })
  await partOf(first, 'operator').selectOptions('between')
  await first.getByLabelText('From').fill('9')
  await first.getByLabelText('To').fill('1')
  first.getByLabelText('To').element().blur()
  await expect.poll(() => rule()?.value).toEqual([1, 9])
  await partOf(first, 'operator').selectOptions('null')
  await expect.poll(() => first.getByRole('textbox').elements()).toEqual([])
  await partOf(first, 'field').selectOptions('clicked')
  for (const mode of ['all', 'some', 'none', 'atLeast', 'atMost', 'exactly']) {
    await partOf(first, 'match').first().selectOptions(mode)
    const hasThreshold = mode.startsWith('at') || mode === 'exactly'
    await expect.poll(() => rule()?.match).toEqual(hasThreshold ? { mode, threshold: 1 } : { mode })
  }
  await first.getByLabelText('Number of times').fill('-3')
  await expect.poll(() => rule()?.match).toEqual({ mode: 'exactly', threshold: 0 })
})

test('R285 R289 no group is added beyond the deepest level; several values are separated by commas', async () => {
  await renderRules()
  focus(ruleAt('[0]').getByLabelText('Values'))
  await userEvent.keyboard('Bonn,Ulm,')
  await expect.poll(() => json().rules?.[0]?.value).toEqual(['Berlin', 'Köln', 'München', 'Bonn', 'Ulm'])
  const addGroup = storyOf('Nothing yet').getByRole('button', { name: 'Add group' })
  await addGroup.click()
  await expect.element(addGroup.first()).toBeDisabled()
  expect(addGroup.last().element()).toBeEnabled()
})

test('R283 a rule shows a missing value once it was left', async () => {
  await renderRules()
  await partOf(builder, 'add').last().click()
  const added = ruleAt('[3]')
  const value = added.getByLabelText('Value')
  await expect.element(value).toBeVisible()
  expect(added.getByText('Enter a value').elements()).toEqual([])
  focus(value)
  value.element().blur()
  await expect.element(added.getByText('Enter a value')).toBeVisible()
})

/** The builder is loaded on demand. */
async function renderRules(): Promise<void> {
  await renderStory('rules')
  await expect.element(partOf(builder, 'add').last()).toBeVisible()
}

/** Chooses an item of a rule's menu. */
async function choose(path: string, item: string): Promise<void> {
  await partOf(ruleAt(path), 'menu').first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

function focus(target: Locator): void {
  target.element().focus()
}

function handleOf(path: string): Element {
  return builder.css(`[data-path="${path}"] > [data-part="drag"]`).first().element()
}

/** No frame is rendered between key presses and pointer moves. */
function withoutFrames(): void {
  const spy = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0)
  onTestFinished(() => spy.mockRestore())
}

function withoutIds(query: Query & { id?: string }): Query {
  const { id: _id, rules: inner, ...rest } = query
  return inner ? { ...rest, rules: inner.map(withoutIds) } : rest
}

function fieldsOf(query: Query): unknown[] {
  return (query.rules ?? []).map(entry => (entry.rules ? fieldsOf(entry) : entry.field))
}
