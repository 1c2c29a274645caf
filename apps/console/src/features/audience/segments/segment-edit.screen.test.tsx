import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoSegment } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('segment: values are trimmed when the field is left, and Enter in a value does not save', async () => {
  const { tables } = await renderScreen('/subscribers/segments/edit/9001', async state => {
    const segments = state.tables<DemoSegment>('segment')
    const segment = await segments.get(9001)
    if (!segment) throw new Error('The demo has no segment 9001')
    const query = { combinator: 'and', rules: [{ field: 'email', operator: 'in', value: ['a@web.test'] }] }
    await segments.put(9001, { ...segment, query } as DemoSegment)
  })
  const stored = async (): Promise<unknown> => (await tables<DemoSegment>('segment').get(9001))?.query
  const withValues = (...value: string[]) => ({
    combinator: 'and',
    rules: [expect.objectContaining({ field: 'email', operator: 'in', value })],
  })
  const values = page.getByRole('combobox', { name: 'Values' })
  await values.click()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('b@web.test, c@web.test')
  await userEvent.tab()
  expect(await stored()).toEqual(withValues('a@web.test'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(stored).toEqual(withValues('a@web.test', 'b@web.test', 'c@web.test'))
})

test('segment: opens as the members of another one without a value', async () => {
  await renderScreen('/subscribers/segments/edit/new?of=9001&without=firstname', async state => {
    const segments = state.tables<DemoSegment>('segment')
    const segment = await segments.get(9001)
    if (!segment) throw new Error('The demo has no segment 9001')
    const query = { combinator: 'and', rules: [{ field: 'email', operator: 'contains', value: 'web.test' }] }
    await segments.put(9001, { ...segment, name: 'Readers', query } as DemoSegment)
  })
  await expect.element(page.getByLabelText('Name')).toHaveValue('Readers: without firstname')
  await expect.element(page.getByText('web.test').first()).toBeInTheDocument()
})
