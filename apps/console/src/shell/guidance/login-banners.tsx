import { listLoginMotds } from '@emma/contract/actions/guidance.ts'
import { Stack } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { MotdBanner } from './motd-banner.tsx'

/** Renders the messages of the day in a response of `/motd:login` (JSON text). */
export function LoginBanners({ answer }: { answer: string }): ReactNode {
  const messages = useMemo(() => listLoginMotds.response.parse(JSON.parse(answer)).messages, [answer])
  return (
    <Stack gap="xs" mb="lg">
      {messages.map(message => (
        <MotdBanner key={message.id} message={message} isFramed />
      ))}
    </Stack>
  )
}
