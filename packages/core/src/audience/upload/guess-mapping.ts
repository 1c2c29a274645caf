import type { MemberColumn } from '@emma/contract/resources/membertable.ts'

/** One column of the file → the name of the target's column, or null to leave it out. */
export interface Mapping {
  index: number
  column: string | null
}

/** What people and other systems call the fixed columns. */
const synonyms: Record<string, readonly string[]> = {
  email: ['email', 'emailaddress', 'emailadresse', 'mail', 'mailadresse', 'correo', 'correoelectronico'],
  datejoin: ['datejoin', 'joined', 'subscribedat', 'optindate', 'angemeldetam'],
  source: ['source', 'quelle', 'origen'],
  value: [
    'value',
    'email',
    'emailaddress',
    'emailadresse',
    'mail',
    'address',
    'domain',
    'md5',
    'sha256',
    'hash',
  ],
  reason: ['reason', 'grund', 'motivo'],
  expires_at: ['expiresat', 'expires', 'ablauf'],
}

/** Guesses by name or label which column of the file fills which of the target; each target once. */
export function guessMapping(
  header: readonly string[],
  columns: readonly Pick<MemberColumn, 'column_name' | 'label'>[],
): Mapping[] {
  const taken = new Set<string>()
  return header.map((title, index) => {
    const wanted = simplify(title)
    const found = columns.find(
      ({ column_name, label }) =>
        !taken.has(column_name) &&
        (simplify(column_name) === wanted ||
          simplify(label) === wanted ||
          (synonyms[column_name]?.includes(wanted) ?? false)),
    )
    if (found) taken.add(found.column_name)
    return { index, column: found?.column_name ?? null }
  })
}

/** `E-Mail Adresse` and `email_adresse` are the same. */
function simplify(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
