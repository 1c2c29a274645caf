import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoPlaceholder } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R132 a placeholder shows its preview and the records that contain it', async () => {
  await renderScreen('/templates/placeholders/edit/9001', async state => {
    const placeholders = state.tables<DemoPlaceholder>('placeholder')
    const imprint = await placeholders.get(9001)
    if (!imprint) throw new Error('The demo has no placeholder 9001')
    await placeholders.put(9001, { ...imprint, body: { en: 'Shop Ltd', de: 'Laden GmbH' } })
    const footer = { name: 'Footer', token: 'footer', body: { en: '{{ module.imprint }}' } }
    await placeholders.put(9050, { ...imprint, ...footer, module_id: 9050 })
  })
  const used = page.getByRole('region', { name: 'Used in' })
  await expect.element(used.getByRole('link', { name: 'Footer' })).toBeVisible()
  await expect.element(used.getByText('Template', { exact: true }).first()).toBeVisible()
  const preview = page.getByRole('region', { name: 'Preview', exact: true }).first()
  await expect.element(preview.getByText('Shop Ltd')).toBeVisible()
  await preview.getByText('German').click()
  await expect.element(preview.getByText('Laden GmbH')).toBeVisible()
})

test('R132 the test of a feed shows its items', async () => {
  await renderScreen('/templates/placeholders/edit/9001', async state => {
    const placeholders = state.tables<DemoPlaceholder>('placeholder')
    const imprint = await placeholders.get(9001)
    if (!imprint) throw new Error('The demo has no placeholder 9001')
    await placeholders.put(9001, { ...imprint, type: 'feed', feed_url: 'https://news.example/feed' })
  })
  const feed = page.getByRole('region', { name: 'Feed (RSS, Atom, JSON)' })
  await expect.element(feed.getByLabelText('Only what is new')).toBeInTheDocument()
  await feed.getByRole('button', { name: 'Test feed' }).click()
  await expect.element(feed.getByText('5 items found')).toBeVisible()
  await expect.element(feed.getByRole('link').first()).toHaveAttribute('href', 'https://example.com/')
})

test('R132 the test of data shows the JSON that arrived', async () => {
  await renderScreen('/templates/placeholders/edit/9001', async state => {
    const placeholders = state.tables<DemoPlaceholder>('placeholder')
    const imprint = await placeholders.get(9001)
    if (!imprint) throw new Error('The demo has no placeholder 9001')
    await placeholders.put(9001, { ...imprint, type: 'data', feed_url: 'https://shop.example/offer' })
  })
  const data = page.getByRole('region', { name: 'Data (JSON)' })
  await expect.element(data.getByText('{{ data.imprint.price }}')).toBeVisible()
  await data.getByRole('button', { name: 'Test data' }).click()
  await expect.element(data.getByText(/120 ms/)).toBeVisible()
  await expect.element(data.getByText('products')).toBeVisible()
})
