import { afterEach } from 'vitest'
import { takeFaults } from './page-faults.ts'

afterEach(() => {
  const faults = takeFaults()
  if (faults.length > 0) throw new Error(`Faults in a page:\n${faults.join('\n')}`)
})
