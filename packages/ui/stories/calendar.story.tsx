import { type ReactNode, useState } from 'react'
import type { CalendarView } from '../src/calendar/calendar-days.ts'
import type { CalendarItem } from '../src/calendar/calendar-item.ts'
import { Calendar } from '../src/calendar/calendar.tsx'
import { notify } from '../src/feedback/notify.tsx'
import type { Story } from './story.ts'

const names = ['Newsletter', 'Autumn sale', 'Reactivation', 'VIP preview', 'Birthday mail']
const tones = ['info', 'active', 'positive', 'caution', 'negative'] as const
const sample: CalendarItem[] = Array.from({ length: 18 }, (_, index) => ({
  id: index + 1,
  title: `${names[index % names.length] ?? ''} ${index + 1}`,
  start: new Date(
    Date.UTC(2026, 10, 2 + ((index * 5) % 28), 7 + ((index * 3) % 11), (index % 2) * 30),
  ).toISOString(),
  tone: tones[index % tones.length] ?? 'neutral',
  detail: index % 5 === 0 ? 'Scheduled' : 'Sent',
  isMovable: index % 5 === 0,
}))
const crowded: CalendarItem[] = Array.from({ length: 7 }, (_, index) => ({
  id: `crowd-${index}`,
  title: `Wave ${index + 1}`,
  start: new Date(Date.UTC(2026, 10, 20, 6 + index)).toISOString(),
  tone: 'info',
}))

function Example({ begin }: { begin: CalendarView }): ReactNode {
  const [items, setItems] = useState([...sample, ...crowded])
  const [shown, setShown] = useState<{ view: CalendarView; day: string }>({ view: begin, day: '2026-11-20' })
  return (
    <Calendar
      label={`Campaigns by ${begin}`}
      items={items}
      view={shown.view}
      day={shown.day}
      onNavigate={setShown}
      onOpen={item => notify.info(`Opens ${item.title}`)}
      onMove={async (item, start) => {
        await new Promise(resolve => setTimeout(resolve, 200))
        if (item.id === 11) throw new Error('This campaign starts within the minute')
        setItems(current => current.map(other => (other.id === item.id ? { ...other, start } : other)))
      }}
    />
  )
}

export const stories: readonly Story[] = [
  { title: 'Month; what is scheduled can be moved', render: () => <Example begin="month" /> },
  { title: 'Week', render: () => <Example begin="week" /> },
  { title: 'List', render: () => <Example begin="list" /> },
]
