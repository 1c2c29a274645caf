import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SettingsSectionProps {
  title: string
  text?: ReactNode
  /** Content beside the heading: a badge, a button. */
  aside?: ReactNode
  children: ReactNode
}

/** A bordered settings section with a heading. */
export function SettingsSection({ title, text, aside, children }: SettingsSectionProps): ReactNode {
  return (
    <Paper withBorder p="md" radius="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 260px' }}>
          <Title order={2}>{title}</Title>
          {text && (
            <Text size="sm" c="dimmed" mt={2}>
              {text}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      <Stack mt="md">{children}</Stack>
    </Paper>
  )
}
