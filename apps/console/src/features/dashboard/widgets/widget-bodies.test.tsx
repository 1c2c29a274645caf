import { reportFigures } from '@emma/contract/actions/reports.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import type { ViewType } from '@emma/contract/resources/dashboard.ts'
import { MantineProvider } from '@mantine/core'
import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { afterAll, expect, test, vi } from 'vitest'
import en from '../texts/en.json' with { type: 'json' }

// The modules read the API host from the browser on import; charts need a real browser.
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('location', { hostname: 'emma.test', origin: 'https://emma.test' })
vi.stubGlobal('sessionStorage', { getItem: () => null })
vi.stubGlobal('localStorage', { getItem: () => null })
vi.mock('@emma/ui/charts/axis-chart.tsx', () => ({ TimeChart: () => null }))
const { WidgetBody } = await import('./widget-bodies.tsx')

const i18n = createInstance()
await i18n.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
afterAll(() => vi.unstubAllGlobals())

/** Text of a rendered widget. */
function textOf(type: ViewType, data: object): string {
  const shown = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <MantineProvider>
        <WidgetBody type={type} data={data} rows={4} title="Figures" isShared />
      </MantineProvider>
    </I18nextProvider>,
  )
  return shown.replaceAll(/<style.*?<\/style>/gs, '').replaceAll(/(<[^>]+>)+/g, ' | ')
}

test('R232 complaints without accepted emails have no percentage', () => {
  const days = [{ day: '2026-11-20', complaints: 2, unsubscribes: 0 }]
  expect(textOf('complaints', { days, sent: 0 })).toContain('2 complaints, – of the emails accepted')
  expect(textOf('complaints', { days, sent: 1000 })).toContain('2 complaints, 0.2% of the emails accepted')
})

test('R232 a funnel shows “–” if the previous step is 0, and “0%” if only the step itself is', () => {
  const funnel = { campagne_id: null, name: null, campaigns: 1, nb_unsubscribe: 0, nb_complaint: 0 }
  const nobody = { nb_recipients: 0, nb_send: 0, nb_delivered: 0, nb_open: 0, nb_click: 0 }
  expect(textOf('funnel', { ...funnel, ...nobody }).match(/–|0%/g)).toEqual(['–', '–', '–', '–', '–'])
  const some = { ...nobody, nb_recipients: 4, nb_send: 4 }
  expect(textOf('funnel', { ...funnel, ...some }).match(/–|\d+%/g)).toEqual(['100%', '0%', '–', '–', '–'])
})

test('R232 a stopped campaign shows the progress it reached, as in the list of campaigns', () => {
  const row = {
    ...Object.fromEntries(Object.keys(reportFigures).map(name => [name, 0])),
    campagne_id: 1,
    client_id: 1,
    name: 'Spring',
    member_table_id: 1,
    valid: campaignState.stopped,
    startdate: null,
    started_at: '2026-11-20T08:00:00Z',
    finished_at: '2026-11-20T09:00:00Z',
    estimated_volume: 1000,
    progress_cur: 120,
    nb_recipients: 1000,
    nb_send: 120,
    nb_cancelled: 880,
  }
  expect(textOf('campaigns', { rows: [row] })).toContain('| 12% |')
})
