export const en = {
  account: {
    login: {
      title: 'Welcome back',
      intro: 'Log in to plan, send and measure your mailings.',
      username: 'User name',
      password: 'Password',
      submit: 'Log in',
      code: 'Code',
      code_text: 'Six digits from your authenticator app, or one of your recovery codes.',
      other_account: 'Log in as somebody else',
      forgot: 'Forgot your password?',
      claim: 'Every mail counted. None lost, none twice.',
      claim_text:
        'Segments, templates, sending and reports in one place, from the first list to the last click.',
    },
    provider: {
      or: 'or',
      submit: 'Log in with {{name}}',
      faults: {
        domain: 'Addresses of your domain cannot log in here. Please ask your administrator.',
        inactive: 'Your account is switched off. Please ask your administrator.',
        several: 'Several accounts have your address. Please log in with user name and password.',
        unknown: 'There is no account for you here yet. Please ask your administrator.',
        cancelled: 'The login was cancelled at the provider.',
        late: 'This took too long, or began in another browser. Please begin again.',
        unreachable: 'The provider cannot be reached at the moment. Please try again later.',
      },
    },
    reset: {
      invited_title: 'Welcome to EMMA',
      title: 'Set a new password',
      request_intro: 'Tell us your user name. If there is an account, its address gets a mail with a link.',
      request_submit: 'Send the link',
      unmailed_title: 'This installation sends no email',
      unmailed_text:
        'Ask your administrator for a new password. On the server, the command “emma user reset” prints a link.',
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
  },
}
