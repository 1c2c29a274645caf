/** Texts of the demo records in one language. */
export interface DemoTexts {
  /** The demo's brand, sending domain and imprint. */
  brand: string
  domain: string
  imprint: string
  firstnames: readonly [string, ...string[]]
  lastnames: readonly [string, ...string[]]
  cities: readonly [string, ...string[]]
  /** In the order of the campaigns, newest first. */
  mails: readonly DemoMail[]
  columns: { firstname: string; lastname: string; city: string; birthday: string; points: string }
  datasources: readonly [string, string]
  segments: readonly [string, string, string]
  blacklists: readonly [string, string]
  placeholders: {
    imprint: string
    greeting: string
    greetingText: string
    social: string
    socialText: string
  }
  groups: readonly [string, string]
  dashboards: readonly [string, string]
  note: string
  testGroup: string
  capping: string
  alerts: { bounces: string; inbox: string }
  preset: string
  /** A newsletter, and a birthday greeting. */
  recurring: readonly [string, string]
  transactional: string
  category: { name: string; values: readonly string[] }
  roles: readonly [string, string]
  sender: string
  unsubscribe: string
  browser: string
}

export interface DemoMail {
  name: string
  subject: string
  text: string
  button: string
}
