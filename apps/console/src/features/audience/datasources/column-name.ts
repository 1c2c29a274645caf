const most = 63

/** Derives a column name from a label: "Geburtsdatum (Tag)" → `geburtsdatum_tag`. Empty if no letter remains. */
export function columnNameOf(label: string): string {
  const plain = label
    .toLowerCase()
    .replaceAll(/[äöüß]/g, letter => germanLetters[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const begun = /^[0-9]/.test(plain) ? `f_${plain}` : plain
  return begun.slice(0, most).replace(/_+$/, '')
}

const germanLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
