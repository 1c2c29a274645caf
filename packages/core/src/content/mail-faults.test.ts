import type { FaultCode } from '@emma/contract/faults.ts'
import { mailFaults } from '@emma/contract/mail-faults.ts'
import { type MailFaultCode, mailFaultTexts } from '@emma/mail/mail-fault.ts'
import { expect, test } from 'vitest'

test('R316 the contract lists every mail fault with the names of its values', () => {
  const codes: FaultCode[] = Object.keys(mailFaultTexts).filter(
    (code): code is MailFaultCode => code in mailFaultTexts,
  )
  expect(Object.keys(mailFaults)).toEqual(codes)
  for (const [code, text] of Object.entries(mailFaultTexts)) {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect({ code, names: Reflect.get(mailFaults, code) as unknown }).toEqual({ code, names })
  }
})
