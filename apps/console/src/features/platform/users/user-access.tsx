import { user } from '@emma/contract/resources/user.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRights } from '../../../shell/session/use-rights.ts'
import { ApiTokens } from '../account/api-tokens.tsx'
import { Sessions } from '../account/sessions.tsx'
import type { User } from './user-actions.tsx'

/** Where a person is logged in, and which programs act in their name: for who looks after users. */
export function UserAccess({ user: { id } }: { user: User }): ReactNode {
  const { mayChange } = useRights(user)
  if (!mayChange) return null
  return (
    <Stack mt="lg" gap="lg" maw={900}>
      <Sessions userId={id} />
      <ApiTokens userId={id} />
    </Stack>
  )
}
