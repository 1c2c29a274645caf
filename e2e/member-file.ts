/** A CSV file with typical errors, and the expected outcome of its rows. */
export interface MemberFile {
  csv: Uint8Array<ArrayBuffer>
  valid: number
  duplicate: number
  invalid: number
  incomplete: number
  suppressed: number
  /** Addresses of the suppressed rows, to be added to the blacklist before the upload. */
  blacklist: string[]
  /** Valid rows with more than 500 points, about half. */
  rich: number
}

const domains = [
  'gmail.test',
  'gmx.test',
  'web.test',
  'tonline.test',
  'outlook.test',
  'yahoo.test',
  'icloud.test',
]
const names = ['Jürgen Müller', 'Zoë "Zoe" Øster', 'Ana, María López', "Sinéad O'Brien", 'Łukasz Żak', '']

/** Creates `rows` lines: 1 % suppressed, 1 % duplicate, 1 % without a valid address, 0.5 % with a missing cell. */
export function memberFile(rows: number): MemberFile {
  const lines = ['email;name;city;points']
  const blacklist: string[] = []
  let [valid, duplicate, invalid, incomplete, rich] = [0, 0, 0, 0, 0]
  for (let row = 0; row < rows; row++) {
    const points = (row * 7919) % 1001
    const cells = [names[row % names.length] ?? '', row % 5 === 0 ? '' : 'Köln; Süd', String(points)].map(
      quoted,
    )
    const email = `${prefix(row)}person${row}@${domains[row % domains.length]}`
    const kind = row % 200
    if (kind === 11 || kind === 111) {
      blacklist.push(email)
      lines.push([email, ...cells].join(';'))
    } else if (kind === 22 || kind === 122) {
      duplicate++
      lines.push(
        [`${prefix(row - 1)}PERSON${row - 1}@${domains[(row - 1) % domains.length]}`, ...cells].join(';'),
      )
    } else if (kind === 33 || kind === 133) {
      invalid++
      lines.push([['no-address', 'a@', '@b.test', 'two@@ats.test'][row % 4] ?? '', ...cells].join(';'))
    } else if (kind === 44) {
      incomplete++
      lines.push([email, cells[0]].join(';'))
    } else {
      valid++
      if (points > 500) rich++
      lines.push([email, ...cells].join(';'))
    }
  }
  return {
    csv: new TextEncoder().encode(`${lines.join('\r\n')}\r\n`),
    valid,
    duplicate,
    invalid,
    incomplete,
    suppressed: blacklist.length,
    blacklist,
    rich,
  }
}

/** Local-part prefix that tells the testbed how to respond; most accept at once. */
function prefix(row: number): string {
  if (row % 50 === 7) return 'bounce-'
  if (row % 97 === 13) return 'drop-'
  if (row % 61 === 17) return 'reject-'
  return 'ok-'
}

function quoted(cell: string): string {
  return /[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
