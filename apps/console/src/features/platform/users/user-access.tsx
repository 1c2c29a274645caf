import { user } from '@emma/contract/resources/user.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRights } from '../../../shell/session/use-rights.ts'
import { ApiTokens } from '../account/api-tokens.tsx'
import { Sessions } from '../account/sessions.tsx'
import type { User } from './user-actions.tsx'

/** A user's sessions and API tokens, for users with permission to change users. */
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
