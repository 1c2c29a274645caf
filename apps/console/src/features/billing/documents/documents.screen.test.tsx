import type { Confirmation } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { permissions } from '@emma/contract/permissions.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoState } from '../../../demo/demo-call.ts'
import type { DemoLegalDocument } from '../../../demo/demo-records.ts'
import { sessionStore } from '../../../shell/session/session-store.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const kinds = [
  { kind: 'agb', list: '/system/agbs', current: '/billing/agb', heading: 'Please confirm our terms' },
  {
    kind: 'bav',
    list: '/system/bavs',
    current: '/billing/bav',
    heading: 'Please confirm the data processing agreement',
  },
] as const

const start = '/campaigns/categories'

const tick = page.getByRole('checkbox', { name: /^I have read/ })
const role = page.getByRole('textbox', { name: 'Position' })
const submit = page.getByRole('button', { name: 'Confirm', exact: true })

async function documentsOf({ tables }: Pick<DemoState, 'tables'>, kind: LegalKind) {
  return tables<DemoLegalDocument>(kind).all()
}

/** A second version, which nobody has confirmed. */
async function addVersion({ tables }: Pick<DemoState, 'tables'>, kind: LegalKind, id = 9002): Promise<void> {
  const [first] = await tables<DemoLegalDocument>(kind).all()
  if (!first) throw new Error('The demo has no document')
  await tables<DemoLegalDocument>(kind).put(id, {
    ...first,
    id,
    version: `2.${id}`,
  })
}

/** What the start-up tells of the second version. */
function beDue(kinds: readonly LegalKind[], since = Date.now() - 5 * 86_400_000): void {
  sessionStore.update({
    dueDocuments: kinds.map(kind => ({
      kind,
      doc_id: 9002,
      version: '2.9002',
      since: new Date(since).toISOString(),
      until: new Date(since + 14 * 86_400_000).toISOString(),
    })),
  })
}

function be(sub: { administrator: boolean; superadmin: boolean }): void {
  const { claims } = sessionStore.get()
  if (!claims) throw new Error('No session')
  sessionStore.update({
    claims: { ...claims, sub: { ...claims.sub, ...sub }, permissions: [...permissions] },
  })
}

const administrator = { administrator: true, superadmin: false }

async function confirm(): Promise<void> {
  await tick.click()
  await role.fill('CEO')
  await submit.click()
}

test.each(kinds)('R098 R102 versions of the $kind are listed with their state', async ({ list, kind }) => {
  await renderScreen(list, async state => {
    const [first] = await documentsOf(state, kind)
    if (!first) throw new Error('The demo has no document')
    const drafted = { ...first, id: 9002, version: '2.0', published: false, published_at: null }
    await state.tables<DemoLegalDocument>(kind).put(9002, drafted)
    await state
      .tables<DemoLegalDocument>(kind)
      .put(9003, { ...first, id: 9003, version: '3.0', valid_from: '2999-01-01' })
  })
  for (const [version, state] of [
    ['1.0', 'Published'],
    ['2.0', 'Draft'],
    ['3.0', 'Planned'],
  ])
    await expect.element(page.getByRole('row', { name: new RegExp(`${version}.*${state}`) })).toBeVisible()
})

test.each(kinds)('R099 R103 a $kind is written, saved as a draft and published', async ({ list, kind }) => {
  const screen = await renderScreen(`${list}/edit/new`)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect.element(page.getByRole('alert').getByText('Version').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Version' }).fill('2.0')
  await page.getByRole('button', { name: 'In force from', exact: true }).click()
  await page.getByRole('button', { name: /^1 / }).first().click()
  for (const language of ['English', 'German', 'Spanish']) {
    const tab = { English: 'English', German: 'Deutsch', Spanish: 'Español' }[language] ?? ''
    await page.getByRole('tab', { name: new RegExp(tab) }).click()
    await page.getByRole('textbox', { name: `Title (${language})` }).fill(`Title ${language}`)
    await page.getByRole('textbox', { name: `Text (${language})` }).fill(`<p>Body ${language}</p>`)
    await expect
      .element(page.getByRole('region', { name: 'Preview' }).getByText(`Body ${language}`))
      .toBeVisible()
  }
  await page.getByRole('button', { name: 'Save draft' }).click()
  const made = async () => (await documentsOf(screen, kind)).find(({ version }) => version === '2.0')
  await expect.poll(made).toMatchObject({ published: false, html_es: '<p>Body Spanish</p>' })
  await page.getByRole('textbox', { name: 'Version' }).fill('2.0.1')
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect
    .element(page.getByText('This version is published and cannot be changed.', { exact: false }))
    .toBeVisible()
  const published = (await documentsOf(screen, kind)).find(({ version }) => version === '2.0.1')
  expect(published).toMatchObject({ published: true })
  await page.getByRole('tab', { name: 'Confirmations' }).click()
  await expect.element(page.getByText('No confirmations yet')).toBeVisible()
})

test.each(kinds)('R099 R103 a published $kind shows the clients that have confirmed it', async ({ list }) => {
  await renderScreen(`${list}/edit/9001?tab=clients`)
  await expect.element(page.getByText('Confirmed by 1 client')).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Dora Demo' })).toBeVisible()
})

test.each(kinds)(
  'R043 R044 the $kind in force, its confirmation, and former versions',
  async ({ current, kind }) => {
    await renderScreen(current, state => addVersion(state, kind))
    beDue([kind])
    await expect.element(page.getByText(/^Not confirmed yet\. From /)).toBeVisible()
    await submit.click()
    await expect.element(page.getByText('Tick the box to confirm.')).toBeVisible()
    await expect.element(page.getByText('Enter your position in the company.')).toBeVisible()
    await confirm()
    await expect.element(page.getByText(/^Confirmed by Dora Demo \(CEO\)/)).toBeVisible()
    await expect.element(submit).not.toBeInTheDocument()
    expect(sessionStore.get().dueDocuments).toEqual([])
    await page.getByRole('button', { name: 'Read version 1.0' }).click()
    await expect.element(page.getByRole('dialog').getByText('SHA-256 of what was confirmed:')).toBeVisible()
  },
)

test('R043 without a published version there is nothing to confirm', async () => {
  allowFaults(/^404 GET \/v2\/agb:latest$/)
  await renderScreen('/billing/agb', async ({ tables }) => {
    await tables('agb').clear()
    await tables('agb_confirm').clear()
  })
  await expect.element(page.getByText('No version published yet')).toBeVisible()
})

test('R022 R023 an administrator confirms both documents, then comes what was opened', async () => {
  const screen = await renderScreen(start, async state => {
    await addVersion(state, 'agb')
    await addVersion(state, 'bav')
  })
  be(administrator)
  beDue(['agb', 'bav'])
  await screen.go('/campaigns/frequency-caps?search=x')
  for (const { heading } of kinds) {
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible()
    await confirm()
  }
  await expect.poll(() => location.pathname + location.search).toBe('/campaigns/frequency-caps?search=x')
  for (const { kind } of kinds)
    expect(await screen.tables<Confirmation>(`${kind}_confirm`).all()).toHaveLength(2)
})

test('R022 log out and language are possible before the confirmation', async () => {
  const screen = await renderScreen(start, state => addVersion(state, 'agb'))
  be(administrator)
  beDue(['agb'])
  await screen.go('/dashboard')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect.element(page.getByRole('heading', { name: 'Bitte bestätigen Sie unsere AGB' })).toBeVisible()
  await page.getByRole('button', { name: 'Sprache' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect.element(page.getByRole('button', { name: 'Log out' })).toBeVisible()
})

test('R022 a newer version that was published meanwhile is shown instead', async () => {
  allowFaults(/^409 POST .*\/agb-confirm$/)
  const screen = await renderScreen(start, state => addVersion(state, 'agb'))
  be(administrator)
  beDue(['agb'])
  await screen.go('/dashboard')
  await expect.element(page.getByText(/^Version 2\.9002/)).toBeVisible()
  await addVersion(screen, 'agb', 9003)
  await confirm()
  await expect.element(page.getByText(/^Version 2\.9003/)).toBeVisible()
})

test('R022 R023 others than administrators are not sent away, and see when sending stops', async () => {
  const screen = await renderScreen(start)
  be({ administrator: false, superadmin: false })
  beDue(['agb', 'bav'])
  await screen.go('/campaigns/frequency-caps')
  expect(location.pathname).toBe('/campaigns/frequency-caps')
  await expect
    .element(page.getByText(/^The terms have not been confirmed for this client\. From /))
    .toBeVisible()
  beDue(['bav'], Date.now() - 20 * 86_400_000)
  await expect
    .element(page.getByText(/Campaigns cannot be started until an administrator confirms it\.$/))
    .toBeVisible()
  await page.getByRole('link', { name: 'Show' }).click()
  await expect.poll(() => location.pathname).toBe('/billing/bav')
})

test('R022 superadmins only look at a client: they see the notice', async () => {
  const screen = await renderScreen(start)
  beDue(['agb'])
  await screen.go('/campaigns/frequency-caps')
  expect(location.pathname).toBe('/campaigns/frequency-caps')
  await expect.element(page.getByText(/^The terms have not been confirmed for this client/)).toBeVisible()
})

test('R022 who opens the screen without something due goes on', async () => {
  await renderScreen('/accept-agb')
  await expect.element(page.getByText('Nothing to confirm')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => location.pathname).toBe('/dashboard')
})
