import { legalDocument } from '../legal-document.ts'

/** Data-processing agreement of the installation (R255). */
export const bav = legalDocument({ kind: 'bav', entity: 'Bav' })
