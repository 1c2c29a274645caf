export const en = {
  dashboard: {
    of: 'of {{total}}',
    scheduled: '{{number}} scheduled',
    volume: 'Volume of the last 30 days',
    latest: 'Latest campaigns',
    all_reports: 'All reports',
    none: 'Nothing has been sent yet',
    none_text: 'Bring a template to a segment: your first campaign is a few clicks away.',
    figures: {
      members: 'Active members',
      sent: 'Sent this month',
      opens: 'Opens in 30 days',
      running: 'Running campaigns',
    },
    series: { sent: 'Sent', opens: 'Opens', clicks: 'Clicks' },
    actions: { upload: 'Upload members', template: 'New template', campaign: 'New campaign' },
    columns: {
      name: 'Campaign',
      state: 'State',
      progress: 'Progress',
      start: 'Started',
      sent: 'Sent',
      delivered: 'Delivered',
      opened: 'Opened',
      clicked: 'Clicked',
    },
  },
}
