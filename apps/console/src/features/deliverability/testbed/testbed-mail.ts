import type { testbedMessage } from '@emma/contract/actions/deliverability.ts'
import type { z } from 'zod'

export type TestbedMail = z.output<typeof testbedMessage>
