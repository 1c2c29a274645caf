import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createErrorFile } from './error-file.ts'
import { fault } from '@emma/contract/faults.ts'

test('error file: cells cannot be executed as formulas', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emma-error-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'errors.csv')
  const file = createErrorFile(path, ['email', '=cmd'], ';', 'en')
  file.add(2, fault('address.no-at'), 'email', ['=HYPERLINK("https://evil.example")', '+49 30'])
  await file.close()
  expect(readFileSync(path, 'utf8')).toBe(
    '\ufeffrow;reason;column;email;\'=cmd\r\n2;The email address has no @.;email;"\'=HYPERLINK(""https://evil.example"")";\'+49 30\r\n',
  )
})
