import { translateUploadFault } from '@emma/contract/upload-faults.ts'
import { ADDRESS_FAULTS } from '@emma/mail/address.ts'
import { expect, test } from 'vitest'
import { rejectionWords } from './import-target.ts'

test.for([...Object.values(ADDRESS_FAULTS), ...Object.values(rejectionWords)])(
  'the error file has a German and a Spanish text for: %s',
  fault => {
    for (const language of ['de', 'es'] as const) {
      const translated = translateUploadFault(fault, language)
      expect(translated).toEqual(expect.any(String))
      expect(translated).not.toBe(fault)
    }
  },
)
