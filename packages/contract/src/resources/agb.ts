import { legalDocument } from '../legal-document.ts'

/** General terms of the installation (R253). */
export const agb = legalDocument({ kind: 'agb', entity: 'Agb' })
