import type { TFunction } from 'i18next'
import { bouncesOf, type Report } from './report-query.ts'

/** Rows of a report's CSV, header first: one value per row, with its section and subject. */
export function reportRows(report: Report, t: TFunction): unknown[][] {
  const label = (key: string) => t(`reports.${key}`)
  const bounceOf = (name: string) => t(`reports.bounces.class.${name}`, { defaultValue: name })
  const part = (title: string, values: [of: string, name: string, value: number | null][]) =>
    values.map(([of, name, value]) => [label(title), of, label(name), value])
  return [
    [label('export.part'), label('export.of'), label('export.figure'), label('export.value')],
    ...part('funnel', [
      ['', 'figures.recipients', report.nb_recipients],
      ['', 'figures.skipped', report.nb_preblock],
      ['', 'figures.sent', report.nb_send],
      ['', 'figures.delivered', report.nb_delivered],
      ['', 'figures.bounced', bouncesOf(report)],
      ['', 'figures.opened', report.nb_open],
      ['', 'figures.clicked', report.nb_click],
      ['', 'figures.unsubscribed', report.nb_unsubscribe],
      ['', 'figures.complained', report.nb_complaint],
      ['', 'figures.waiting', report.nb_pending],
      ['', 'figures.unknown', report.nb_unknown],
      ['', 'figures.cancelled', report.nb_cancelled],
    ]),
    ...part('hits.title', [
      [label('hits.open'), 'hits.total', report.nb_open_total],
      [label('hits.open'), 'hits.desktop', report.nb_open_desktop],
      [label('hits.open'), 'hits.mobile', report.nb_open_mobile],
      [label('hits.open'), 'hits.machine', report.nb_open_machine],
      [label('hits.click'), 'hits.total', report.nb_click_total],
      [label('hits.click'), 'hits.desktop', report.nb_click_desktop],
      [label('hits.click'), 'hits.mobile', report.nb_click_mobile],
      [label('hits.click'), 'hits.machine', report.nb_click_machine],
    ]),
    ...report.links.flatMap(({ name, url, unique, total }) =>
      part('links.title', [
        [url ?? name ?? '', 'links.people', unique],
        [url ?? name ?? '', 'links.total', total],
      ]),
    ),
    ...report.devices.flatMap(({ name, people }) => part('who.devices', [[name, 'hits.people', people]])),
    ...report.clients.flatMap(({ name, people }) => part('who.clients', [[name, 'hits.people', people]])),
    ...report.providers.flatMap(({ name, accepted, bounced_later, deferred, unknown, hard, soft }) =>
      part('providers.title', [
        [name, 'providers.accepted', accepted],
        [name, 'providers.bounced_later', bounced_later],
        [name, 'providers.deferred', deferred],
        [name, 'providers.unknown', unknown],
        [name, 'providers.refused', hard + soft],
      ]),
    ),
    ...report.bounces.flatMap(({ class: name, hard, people }) =>
      part('bounces.title', [[bounceOf(name), hard ? 'bounces.hard' : 'bounces.soft', people]]),
    ),
    ...report.preblocks.flatMap(({ reason, count }) =>
      part('preblocks.title', [[reason ? t(`skip_reason.${reason}`) : '', 'preblocks.people', count]]),
    ),
  ]
}
