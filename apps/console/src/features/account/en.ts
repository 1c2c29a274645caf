export const en = {
  account: {
    login: {
      title: 'Welcome back',
      intro: 'Log in to plan, send and measure your mailings.',
      username: 'User name',
      password: 'Password',
      submit: 'Log in',
      forgot: 'Forgot your password?',
      claim: 'Every mail counted. None lost, none twice.',
      claim_text:
        'Segments, templates, sending and reports in one place, from the first list to the last click.',
    },
    reset: {
      title: 'Set a new password',
      request_intro: 'Tell us your user name. If there is an account, its address gets a mail with a link.',
      request_submit: 'Send the link',
      requested_title: 'Look into your mailbox',
      requested_text:
        'If the account exists, a mail with a link is on its way. The link works once and for one hour.',
      set_intro: 'Choose a password of at least 10 characters. Length beats special characters.',
      password: 'New password',
      repeat: 'New password again',
      set_submit: 'Save password',
      too_short: 'The password needs at least 10 characters.',
      different: 'The two entries differ.',
      done: 'Your new password is set. Please log in with it.',
      back: 'Back to the login',
    },
    settings: {
      intro: 'These settings are yours alone; they follow you to every browser.',
      appearance: 'Appearance',
      language: 'Language',
      theme: 'Light or dark',
      saved: 'Your settings are saved.',
      security: 'Password',
      security_text:
        'To change your password, prove with the old one that it is you. You will be logged out everywhere else.',
      old_password: 'Old password',
      security_submit: 'Change password',
      password_changed: 'Your password is changed.',
    },
  },
}
