import {
  type Book,
  type Campaign,
  isCountedOn,
  isOpen,
  type Line,
  type Mail,
  mayWriteTo,
  type Person,
  softBouncesOf,
  type Tenant,
} from './book.ts'

/** Start of the calendar periods in milliseconds, from the database. */
export interface Calendar {
  month: number
  /** Midnight 29 days ago. */
  thirtyDays: number
}

const VALID = { running: 2, finished: 3, paused: 5, stopped: 8 } as const

/** Links of the tests' message, as stored. */
const LINKS = ['https://shop.example/offer?c={{ member.member_id }}', 'https://shop.example/']

/** Expected figures of a client, in the shape of `showAll`. */
export function expectAll(book: Book, tenant: Tenant, calendar: Calendar): Record<string, unknown> {
  const campaigns = book.campaigns.filter(campaign => campaign.tenant === tenant)
  const shown = campaigns.filter(campaign => !campaign.isRemoved)
  const byId = <T>(of: (campaign: Campaign) => T) => Object.fromEntries(shown.map(one => [one.id, of(one)]))
  return {
    reports: byId(campaign => expectReport(book, campaign)),
    dashboard: expectDashboard(book, tenant, campaigns, calendar),
    members: tenant.people
      .filter(person => !person.isGone)
      .toSorted((a, b) => a.id - b.id)
      .map(person => expectMember(book, person)),
    datasource: expectDatasource(book, tenant),
    segments: { ...byId(campaign => expectSegment(book, tenant, campaign)), ...expectHabits(book, tenant) },
  }
}

function expectReport(book: Book, campaign: Campaign): Record<string, unknown> {
  const lines = book.lines.filter(line => line.mail.campaign === campaign)
  const figures = countFigures(campaign, lines)
  const ofMembers = lines.filter(isOfMember)
  const human = ofMembers.filter(line => line.verdict === 'human')
  const bounces = ofMembers.filter(isBounce)
  const mails = campaign.mails.filter(isMembers)
  const skipped = mails.filter(mail => mail.state === 'skipped')
  const {
    nb_hardbounce,
    nb_recipients,
    nb_preblock,
    nb_pending,
    nb_send,
    nb_delivered,
    nb_open,
    nb_open_machine,
  } = figures
  const { nb_click, nb_click_machine, nb_unsubscribe, nb_complaint } = figures
  return {
    figures,
    listed: figures,
    links: LINKS.map((_, link) => {
      const clicks = ofMembers.filter(line => line.type === 'click' && line.link === link)
      const own = clicks.filter(line => line.verdict === 'human')
      return [
        link,
        people(own),
        own.length,
        clicks.length - own.length,
        people(own.filter(line => line.device === 'desktop')),
        people(own.filter(line => line.device === 'mobile')),
      ]
    }),
    overTime: ['open', 'click'].map(type => human.filter(line => line.type === type).length),
    bounces: countWords(bounces.map(line => [`${line.class} ${line.hard}`, line.mail])),
    preblocks: countWords(skipped.map(mail => [String(mail.reason), mail])),
    providers: [
      nb_send,
      inState(campaign, 'sent'),
      inState(campaign, 'deferred'),
      ...[true, false].map(
        hard => mails.filter(mail => mail.state === 'rejected' && lastRefusal(lines, mail) === hard).length,
      ),
      inState(campaign, 'unknown'),
    ],
    people: {
      nb_recipients,
      nb_preblock,
      nb_pending,
      nb_send,
      nb_delivered,
      nb_hardbounce,
      nb_open,
      nb_open_machine,
      nb_click,
      nb_click_machine,
      nb_unsubscribe,
      nb_complaint,
    },
  }
}

function countFigures(campaign: Campaign, lines: readonly Line[]) {
  const ofMembers = lines.filter(isOfMember)
  const bounces = Map.groupBy(ofMembers.filter(isBounce), line => line.mail)
  const kinds = [...bounces.values()].map(own => {
    if (own.some(line => line.hard)) return 'hard'
    return own.some(line => line.class !== 'other') ? 'soft' : 'other'
  })
  const kind = (wanted: string) => kinds.filter(one => one === wanted).length
  const mails = campaign.mails.filter(isMembers)
  const answered = mails.filter(isAnswered)
  const hits = (type: string) => {
    const all = ofMembers.filter(line => line.type === type)
    const human = all.filter(line => line.verdict === 'human')
    return {
      people: people(human),
      total: human.length,
      machine: people(all) - people(human),
      desktop: people(human.filter(line => line.device === 'desktop')),
      mobile: people(human.filter(line => line.device === 'mobile')),
    }
  }
  const saying = (type: string) => people(ofMembers.filter(line => line.type === type))
  const [opens, clicks] = [hits('open'), hits('click')]
  return {
    nb_recipients: mails.length,
    nb_preblock: inState(campaign, 'skipped'),
    nb_pending: mails.filter(isOpen).length,
    nb_unknown: inState(campaign, 'unknown'),
    nb_cancelled: inState(campaign, 'cancelled'),
    nb_send: answered.length,
    nb_delivered: answered.filter(mail => !bounces.has(mail)).length,
    nb_hardbounce: kind('hard'),
    nb_softbounce: kind('soft'),
    nb_otherbounce: kind('other'),
    nb_open: opens.people,
    nb_open_total: opens.total,
    nb_open_machine: opens.machine,
    nb_open_desktop: opens.desktop,
    nb_open_mobile: opens.mobile,
    nb_click: clicks.people,
    nb_click_total: clicks.total,
    nb_click_machine: clicks.machine,
    nb_click_desktop: clicks.desktop,
    nb_click_mobile: clicks.mobile,
    nb_unsubscribe: saying('unsubscribe'),
    nb_complaint: saying('complaint'),
    valid: VALID[campaign.state],
    estimated_volume: campaign.mails.filter(isCountedOn).length,
    progress_cur: campaign.progress,
  }
}

function expectDashboard(book: Book, tenant: Tenant, campaigns: readonly Campaign[], calendar: Calendar) {
  const shown = campaigns.filter(campaign => !campaign.isRemoved)
  const mails = campaigns.flatMap(campaign => campaign.mails).filter(isMembers)
  const answered = mails.filter(isAnswered)
  const lines = book.lines.filter(line => line.mail.campaign.tenant === tenant)
  const ofMembers = lines.filter(isOfMember)
  const hits = (type: string, byHuman: boolean, since = 0) =>
    ofMembers.filter(line => line.type === type && (line.verdict === 'human') === byHuman && line.at >= since)
      .length
  const saying = (type: string) => people(ofMembers.filter(line => line.type === type))
  const clicks = ofMembers.filter(
    line => line.type === 'click' && line.verdict === 'human' && line.link !== null,
  )
  const active = tenant.people.filter(person => !person.isGone && mayWriteTo(person) === null)
  return {
    overview: [
      active.length,
      tenant.people.filter(person => !person.isGone).length,
      shown.filter(campaign => campaign.state === 'running').length,
      answered.filter(mail => mail.at >= calendar.month).length,
    ],
    month: [
      answered.filter(mail => mail.at >= calendar.thirtyDays).length,
      hits('open', true, calendar.thirtyDays),
      hits('click', true, calendar.thirtyDays),
    ],
    volume: [
      mails.filter(mail => mail.state === 'sent').length,
      mails.filter(mail => mail.state === 'rejected').length,
    ],
    rates: [hits('open', true), hits('click', true), hits('open', false), hits('click', false)],
    complaints: [
      saying('complaint'),
      saying('unsubscribe'),
      mails.filter(mail => mail.state === 'sent').length,
    ],
    bounces: countWords(ofMembers.filter(isBounce).map(line => [`${line.class} ${line.hard}`, line.mail])),
    links: LINKS.flatMap((url, link) => {
      const own = clicks.filter(line => line.link === link)
      return own.length > 0
        ? [`${url} ${new Set(own.map(line => line.mail.memberId)).size} ${own.length}`]
        : []
    }).toSorted(),
    providers: [
      answered.length,
      mails.filter(mail => mail.state === 'sent').length,
      shown.flatMap(campaign => campaign.mails).filter(mail => isMembers(mail) && isOpen(mail)).length,
    ],
    queue: shown
      .filter(({ state }) => state === 'running' || state === 'paused')
      .map(campaign => `${campaign.id} ${campaign.progress} ${campaign.mails.filter(isCountedOn).length}`)
      .toSorted(),
    funnels: Object.fromEntries(
      shown.map(campaign => {
        const figures = countFigures(
          campaign,
          lines.filter(line => line.mail.campaign === campaign),
        )
        const { nb_recipients, nb_send, nb_delivered, nb_open, nb_click, nb_unsubscribe, nb_complaint } =
          figures
        return [
          campaign.id,
          { nb_recipients, nb_send, nb_delivered, nb_open, nb_click, nb_unsubscribe, nb_complaint },
        ]
      }),
    ),
    last: Math.min(shown.length, 1),
    sendVolume: [
      answered.length,
      campaigns.flatMap(campaign => campaign.mails).filter(mail => !isMembers(mail) && isAnswered(mail))
        .length,
    ],
  }
}

function expectMember(book: Book, person: Person): Record<string, unknown> {
  const lines = book.lines.filter(line => line.mail.person === person)
  const mails = book.campaigns.flatMap(campaign => campaign.mails).filter(mail => mail.person === person)
  const timeline = [
    ...lines.map(line => [line.type, line.mail.campaign.id, line.link ?? '', line.verdict ?? ''].join(' ')),
    ...mails.map(mail => [mail.state, mail.campaign.id, '', ''].join(' ')),
  ]
  return {
    id: person.id,
    email: person.email,
    off: person.isOff,
    hard: asTime(person.hardAt),
    soft: softBouncesOf(book, person),
    complained: asTime(person.complainedAt),
    sent: asTime(latest(mails.filter(isAnswered))),
    opened: asTime(latest(lines.filter(line => isHuman(line, 'open')))),
    clicked: asTime(latest(lines.filter(line => isHuman(line, 'click')))),
    timeline: timeline.toSorted(),
    total: timeline.length,
  }
}

function expectDatasource(book: Book, { people: all }: Tenant): Record<string, number> {
  const there = all.filter(person => !person.isGone)
  return {
    stats_total: there.length,
    stats_active: there.filter(person => mayWriteTo(person) === null).length,
    stats_unsubscribed: there.filter(person => person.isOff).length,
    stats_hardbounce: there.filter(person => person.hardAt !== null).length,
    stats_softbounce: there.filter(person => softBouncesOf(book, person) > 0).length,
    stats_complaint: there.filter(person => person.complainedAt !== null).length,
  }
}

function expectSegment(book: Book, tenant: Tenant, campaign: Campaign): Record<string, number> {
  const count = counter(book, tenant)
  const of = (line: Line) => line.mail.campaign === campaign
  const isClick = (line: Line) => of(line) && isHuman(line, 'click')
  return {
    opened: count(
      line => of(line) && isHuman(line, 'open'),
      n => n > 0,
    ),
    notOpened: count(
      line => of(line) && isHuman(line, 'open'),
      n => n === 0,
    ),
    byMachine: count(
      line => of(line) && line.type === 'open' && line.verdict !== 'human',
      n => n > 0,
    ),
    clickedFirst: count(
      line => isClick(line) && line.link === 0,
      n => n > 0,
    ),
    clickedTwice: count(isClick, n => n >= 2),
    sent: tenant.people.filter(
      person => !person.isGone && campaign.mails.some(mail => mail.person === person && isAnswered(mail)),
    ).length,
    bounced: count(
      line => of(line) && isBounce(line),
      n => n > 0,
    ),
    unsubscribed: count(
      line => of(line) && line.type === 'unsubscribe',
      n => n > 0,
    ),
    complained: count(
      line => of(line) && line.type === 'complaint',
      n => n > 0,
    ),
  }
}

function expectHabits(book: Book, tenant: Tenant): Record<string, number> {
  const count = counter(book, tenant)
  const mails = book.campaigns.flatMap(campaign => campaign.mails).filter(isAnswered)
  return {
    everOpened: count(
      line => isHuman(line, 'open'),
      n => n > 0,
    ),
    onceClicked: count(
      line => isHuman(line, 'click'),
      n => n === 1,
    ),
    sentTwice: tenant.people.filter(
      person => !person.isGone && mails.filter(mail => mail.person === person).length >= 2,
    ).length,
  }
}

function counter(book: Book, tenant: Tenant) {
  return (fits: (line: Line) => boolean, isEnough: (count: number) => boolean) =>
    tenant.people.filter(
      person =>
        !person.isGone &&
        isEnough(book.lines.filter(line => line.mail.person === person && fits(line)).length),
    ).length
}

function isHuman(line: Line, type: string): boolean {
  return line.type === type && line.verdict === 'human'
}

function isBounce({ type }: Line): boolean {
  return type === 'bounce'
}

function isOfMember({ mail }: Line): boolean {
  return mail.person !== null
}

/** Seeds and proof copies do not count. */
function isMembers({ person }: Mail): boolean {
  return person !== null
}

function isAnswered({ state }: Mail): boolean {
  return state === 'sent' || state === 'rejected'
}

function inState({ mails }: Campaign, state: Mail['state']): number {
  return mails.filter(mail => isMembers(mail) && mail.state === state).length
}

function people(lines: readonly Line[]): number {
  return new Set(lines.map(line => line.mail)).size
}

/** True if the final reply to a message was a hard bounce. */
function lastRefusal(lines: readonly Line[], mail: Mail): boolean {
  return lines.findLast(line => line.mail === mail && line.type === 'bounce' && line.isAnswer)?.hard === true
}

function countWords(words: readonly (readonly [string, Mail])[]): string[] {
  return [...Map.groupBy(words, ([word]) => word)]
    .map(([word, own]) => `${word} ${new Set(own.map(([, mail]) => mail)).size}`)
    .toSorted()
}

function latest(all: readonly { at: number }[]): number | null {
  return all.length === 0 ? null : Math.max(...all.map(({ at }) => at))
}

function asTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
