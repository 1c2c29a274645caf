const firstnames = [
  'Anna',
  'Björn',
  'Clara',
  'David',
  'Elif',
  'Felix',
  'Greta',
  'Hugo',
  'Inés',
  'Jonas',
  'Katja',
  'Lars',
  'María',
  'Noah',
  'Olga',
  'Paul',
  'Quirin',
  'Rosa',
  'Søren',
  'Tariq',
  'Ulla',
  'Víctor',
  'Wanda',
  'Xenia',
  'Yusuf',
  'Zoë',
]
const lastnames = [
  'Adler',
  'Brandt',
  'Castro',
  'Dietrich',
  'Evans',
  'Fischer',
  'García',
  'Hoffmann',
  'Ivanova',
  'Jansen',
  'Köhler',
  'López',
  'Müller',
  'Nielsen',
  'Otero',
  'Petersen',
  'Quandt',
  'Richter',
  'Schäfer',
  'Torres',
  'Ulrich',
  'Vogel',
  'Weiß',
  'Young',
  'Zimmermann',
]
const cities = [
  'Berlin',
  'Hamburg',
  'Köln',
  'Leipzig',
  'Madrid',
  'München',
  'Sevilla',
  'Wien',
  'Zürich',
  'London',
]
/** Weighted like the list of a German shop. */
const domains = [
  'gmail.test',
  'gmail.test',
  'gmail.test',
  'gmail.test',
  'gmx.test',
  'gmx.test',
  'gmx.test',
  'web.test',
  'web.test',
  'web.test',
  'tonline.test',
  'tonline.test',
  'outlook.test',
  'outlook.test',
  'yahoo.test',
  'icloud.test',
  'icloud.test',
  'freenet.test',
  'example-shop.test',
]

export interface SampleMember {
  email: string
  firstname: string
  lastname: string
  city: string | null
  language: string
  birthday: string | null
  points: number
  datejoin: Date
}

/** Generates fictional members at the testbed's domains, always the same, with a seeded generator. */
export function sampleMembers(count: number, now: Date): SampleMember[] {
  const next = generator(20_261_121)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const firstname = pick(firstnames)
    const lastname = pick(lastnames)
    const ageDays = Math.floor(next() ** 2 * 720) + 1
    return {
      email: `${plain(firstname)}.${plain(lastname)}.${index + 1}@${pick(domains)}`,
      firstname: next() < 0.04 ? '' : firstname,
      lastname,
      city: next() < 0.15 ? null : pick(cities),
      language: pick(['de', 'de', 'de', 'en', 'es']),
      birthday:
        next() < 0.3
          ? null
          : `${1950 + Math.floor(next() * 55)}-0${1 + Math.floor(next() * 9)}-1${Math.floor(next() * 10)}`,
      points: Math.floor(next() ** 3 * 400),
      datejoin: new Date(now.getTime() - ageDays * 86_400_000),
    }
  })
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}

/** Mulberry32: 32 bits of state, the same series for the same seed. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
