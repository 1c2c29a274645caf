import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sessionStore } from '../../../shell/session/session-store.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const section = page.getByRole('region', { name: 'Approval' })
const setting = page.getByRole('switch', { name: 'Campaigns need approval by a second person' })

test('administrators choose whether campaigns need an approval, nobody else', async () => {
  await renderScreen('/system/clients/add')
  await expect.element(setting).not.toBeChecked()
  await setting.click({ force: true })
  await expect.element(setting).toBeChecked()
  const { claims, ...session } = sessionStore.get()
  if (!claims) throw new Error('No session')
  const sub = { ...claims.sub, superadmin: false, administrator: false }
  sessionStore.set({ ...session, claims: { ...claims, sub } })
  await expect.element(setting).not.toBeInTheDocument()
  await expect.element(section).not.toBeInTheDocument()
})
