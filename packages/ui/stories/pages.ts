import type { Story } from './story.ts'

/** The stories of one component. */
export interface StoryPage {
  name: string
  title: string
  /** Additional search terms. */
  words: string
  load: () => Promise<{ stories: readonly Story[] }>
}

/** All pages of the story book. */
export const pages: readonly StoryPage[] = [
  {
    name: 'list',
    title: 'Lists',
    words: 'table rows filters sort columns views export bulk keyboard virtual empty error forbidden',
    load: () => import('./list.story.tsx'),
  },
  {
    name: 'form',
    title: 'Forms',
    words: 'record required alternatives draft conflict errors undo delete save',
    load: () => import('./form.story.tsx'),
  },
  {
    name: 'fields',
    title: 'Numbers, dates and time zones',
    words: 'date time picker percent decimal pattern language input',
    load: () => import('./fields.story.tsx'),
  },
  {
    name: 'select',
    title: 'Selects',
    words: 'paged creatable fixed default screenshot look-up multi options',
    load: () => import('./select.story.tsx'),
  },
  {
    name: 'rules',
    title: 'Rule builder',
    words: 'segment query group combinator drag undo lock sentence 200',
    load: () => import('./rules.story.tsx'),
  },
  {
    name: 'calendar',
    title: 'Calendar',
    words: 'month week list drag move schedule',
    load: () => import('./calendar.story.tsx'),
  },
  {
    name: 'charts',
    title: 'Charts',
    words: 'line bar donut funnel heat map sparkline table png csv',
    load: () => import('./charts.story.tsx'),
  },
  {
    name: 'code',
    title: 'Code, differences, JSON',
    words: 'editor lint search diff merge viewer source liquid html',
    load: () => import('./code.story.tsx'),
  },
  {
    name: 'mail',
    title: 'Mail preview',
    words: 'desktop mobile dark text sandbox images',
    load: () => import('./mail.story.tsx'),
  },
  {
    name: 'upload',
    title: 'Uploads',
    words: 'files drop zone progress pause cancel retry mapping columns',
    load: () => import('./upload.story.tsx'),
  },
  {
    name: 'notifications',
    title: 'Notifications',
    words: 'toast success warning danger permanent undo close all',
    load: () => import('./notifications.story.tsx'),
  },
  {
    name: 'modals',
    title: 'Modals, questions, drawers',
    words: 'dialog confirm static backdrop snow stacked',
    load: () => import('./modals.story.tsx'),
  },
  {
    name: 'layout',
    title: 'Parts of a screen',
    words: 'header figures badges progress tabs facts card timeline stepper loading skeleton',
    load: () => import('./layout.story.tsx'),
  },
  {
    name: 'router',
    title: 'In the address',
    words: 'url state tabs leave guard unsaved',
    load: () => import('./router.story.tsx'),
  },
]
