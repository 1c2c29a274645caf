/** Where the login token is kept in the browser (R139). */
export const tokenKey = 'loginToken'
