import type { DesignCategory, DesignCollection } from '@emma/contract/actions/catalog.ts'
import type { Palette } from './apply-brand.ts'

/** A design; its MJML is in `designs/{slug}.mjml`, its translations are in `texts/`. */
export interface Design {
  slug: string
  category: DesignCategory
  collection: DesignCollection
  title: string
  description: string
  subject: string
  preheader: string
  tags: readonly string[]
  /** Differences from the palette of its collection. */
  colors?: Partial<Palette>
}

const sans = "'Helvetica Neue', Helvetica, Arial, sans-serif"
const serif = "Georgia, 'Times New Roman', serif"

export const palettes: Record<DesignCollection, Palette> = {
  clear: {
    color: '#1f5fd0',
    text_color: '#1d2129',
    background: '#eef1f6',
    button_color: '#1f5fd0',
    font: sans,
    heading_font: sans,
    radius: 8,
  },
  warm: {
    color: '#b4532a',
    text_color: '#2e2620',
    background: '#f3ece2',
    button_color: '#8a3d1d',
    font: serif,
    heading_font: serif,
    radius: 3,
  },
  bold: {
    color: '#ff5a36',
    text_color: '#121212',
    background: '#f1efeb',
    button_color: '#121212',
    font: "'Helvetica Neue', Helvetica, Arial, sans-serif",
    heading_font: "'Arial Black', 'Helvetica Neue', Helvetica, Arial, sans-serif",
    radius: 0,
  },
}

export const categoryTitles: Record<DesignCategory, string> = {
  newsletter: 'Newsletters',
  product: 'Products',
  offer: 'Offers',
  event: 'Events',
  welcome: 'Welcome',
  service: 'Service',
}

export const collectionTitles: Record<DesignCollection, string> = {
  clear: 'Clear',
  warm: 'Warm',
  bold: 'Bold',
}

export const designs: readonly Design[] = [
  {
    slug: 'monthly-review',
    category: 'newsletter',
    collection: 'clear',
    title: 'Monthly review',
    description: 'A lead story with a picture, two short ones, and the month in three figures.',
    subject: 'Your October: a new trail, and 214 km of it',
    preheader: 'Three stories from the mountains, and what is open in November.',
    tags: ['stories', 'figures', 'picture'],
    colors: { color: '#1d6b5a', button_color: '#1d6b5a', background: '#eaf1ee' },
  },
  {
    slug: 'coffee-letter',
    category: 'newsletter',
    collection: 'warm',
    title: 'Coffee letter',
    description: 'A calm letter in serifs: one essay, one quotation, three things to read.',
    subject: 'Why we roast on Tuesdays',
    preheader: 'The autumn letter: one essay, one recipe, three things to read.',
    tags: ['essay', 'quotation', 'picture'],
  },
  {
    slug: 'five-links',
    category: 'newsletter',
    collection: 'bold',
    title: 'Five links',
    description: 'A weekly digest with large numbers. Written in ten minutes, read in two.',
    subject: 'Five links for the weekend, number 112',
    preheader: 'A bridge made of paper, a map of smells, and three more.',
    tags: ['digest', 'list'],
    colors: { color: '#ffcf33' },
  },
  {
    slug: 'release-notes',
    category: 'product',
    collection: 'clear',
    title: 'Release notes',
    description: 'What is new, improved and fixed, with a label each.',
    subject: 'New in version 4.2: shared boards and faster search',
    preheader: 'Two new features, three improvements, and eleven fixes.',
    tags: ['software', 'list'],
    colors: { color: '#5b3fd6', button_color: '#5b3fd6', background: '#f0eff7' },
  },
  {
    slug: 'new-collection',
    category: 'product',
    collection: 'warm',
    title: 'New collection',
    description: 'Four products with pictures and prices under a quiet headline.',
    subject: 'The autumn collection is here',
    preheader: 'Clay, wool and beeswax: made by nine workshops within 200 km.',
    tags: ['shop', 'products', 'picture'],
  },
  {
    slug: 'product-launch',
    category: 'product',
    collection: 'bold',
    title: 'Product launch',
    description: 'One product on a dark stage, three reasons, one button.',
    subject: 'Meet Halo, the lamp that knows what time it is',
    preheader: 'Warm at breakfast, clear at noon, dim at night. From 24 November.',
    tags: ['launch', 'dark', 'picture'],
    colors: { color: '#f0a33a', background: '#141416', button_color: '#f0a33a' },
  },
  {
    slug: 'member-voucher',
    category: 'offer',
    collection: 'clear',
    title: 'Member voucher',
    description: 'A personal voucher with its code and its conditions in plain sight.',
    subject: '{{ member.firstname | default: "For you" }}: 15 euros for your next ride',
    preheader: 'Your code works until 30 November, for every city.',
    tags: ['voucher', 'personal'],
    colors: { color: '#0e7385', button_color: '#0e7385', background: '#e9f2f4' },
  },
  {
    slug: 'gift-guide',
    category: 'offer',
    collection: 'warm',
    title: 'Gift guide',
    description: 'Presents in three price ranges, each with picture and reason.',
    subject: 'Presents for people who have everything',
    preheader: 'Under 20, under 50, under 100: nine ideas, wrapped by us.',
    tags: ['shop', 'season', 'picture'],
    colors: { color: '#7d2f3c', button_color: '#7d2f3c', background: '#f4ebe6' },
  },
  {
    slug: 'big-sale',
    category: 'offer',
    collection: 'bold',
    title: 'Big sale',
    description: 'A number that nobody misses, its end date, and three products.',
    subject: 'Everything is a third cheaper until Sunday',
    preheader: 'All chairs, all tables, all lamps. In the shops and online.',
    tags: ['sale', 'products', 'picture'],
    colors: { color: '#ff5a36' },
  },
  {
    slug: 'webinar-invitation',
    category: 'event',
    collection: 'clear',
    title: 'Webinar invitation',
    description: 'Date, time, three things to learn, two speakers.',
    subject: 'Live on 12 March: budgets that survive the year',
    preheader: '45 minutes, two practitioners, your questions.',
    tags: ['agenda', 'speakers'],
    colors: { color: '#174a8c', button_color: '#174a8c' },
  },
  {
    slug: 'dinner-invitation',
    category: 'event',
    collection: 'warm',
    title: 'Dinner invitation',
    description: 'A card for an evening: menu, place and time.',
    subject: 'A table for you on 6 December',
    preheader: 'Five courses from the garden, at seven in the old mill.',
    tags: ['invitation', 'menu', 'picture'],
    colors: { color: '#4c6a4f', button_color: '#3d5740', background: '#eeece2' },
  },
  {
    slug: 'conference-program',
    category: 'event',
    collection: 'bold',
    title: 'Conference programme',
    description: 'A day in a table: times, talks and rooms.',
    subject: 'The programme of Form 26 is complete',
    preheader: 'Fourteen talks, three workshops, one very long lunch.',
    tags: ['programme', 'table', 'picture'],
    colors: { color: '#f78154', background: '#e9e7e1', button_color: '#16181d' },
  },
  {
    slug: 'welcome-steps',
    category: 'welcome',
    collection: 'clear',
    title: 'Welcome in three steps',
    description: 'The first mail after signing up: what to do, in which order.',
    subject: 'Welcome, {{ member.firstname | default: "and thank you" }}: three steps to start',
    preheader: 'It takes four minutes. Most people begin with the second step.',
    tags: ['first mail', 'steps', 'picture'],
    colors: { color: '#2b6a4d', button_color: '#2b6a4d', background: '#ebf1ed' },
  },
  {
    slug: 'founder-note',
    category: 'welcome',
    collection: 'warm',
    title: 'Note from the founder',
    description: 'A personal letter without pictures, with a postscript.',
    subject: 'Thank you for being here',
    preheader: 'A note from me, and one question.',
    tags: ['letter', 'personal'],
    colors: { color: '#8a5a1f', button_color: '#6e4717', background: '#f5f0e6' },
  },
  {
    slug: 'feature-tour',
    category: 'welcome',
    collection: 'bold',
    title: 'Feature tour',
    description: 'Four features as large cards, one colour each.',
    subject: 'Four things that you have not tried yet',
    preheader: 'Each takes a minute, and saves one every day.',
    tags: ['cards', 'software'],
    colors: { color: '#5247e6', background: '#efeef8', radius: 6 },
  },
  {
    slug: 'order-confirmation',
    category: 'service',
    collection: 'clear',
    title: 'Order confirmation',
    description: 'Items, total, address and delivery day in a clear table.',
    subject: 'Your order 40817 is confirmed',
    preheader: 'It leaves our workshop on Thursday.',
    tags: ['table', 'order'],
    colors: { color: '#24613f', button_color: '#24613f', background: '#eff3f0' },
  },
  {
    slug: 'review-request',
    category: 'service',
    collection: 'warm',
    title: 'Review request',
    description: 'One question, four answers to click, a word of thanks.',
    subject: 'How do you like your new vase?',
    preheader: 'One click is enough. We read every answer.',
    tags: ['feedback', 'picture'],
    colors: { color: '#b2603d', background: '#f5ede4' },
  },
  {
    slug: 'booking-ticket',
    category: 'service',
    collection: 'bold',
    title: 'Booking ticket',
    description: 'A booking as a large ticket, with what to bring.',
    subject: 'Your ticket: Hamburg to Copenhagen, 18 May',
    preheader: 'Car 7, seat 42, by the window. Doors close at 8:57.',
    tags: ['travel', 'ticket'],
    colors: { color: '#0b5fff', background: '#e8eefb', radius: 4 },
  },
]
