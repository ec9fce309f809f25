// Paths that are known before any table of pages is: to the first code of every address, and to the login page.
export const HOME_PATH = '/admin/index'
export const LOGIN_PATH = '/login'
/** Tokens and SMS credit by QR. */
export const TOP_UP_PATH = '/admin/account/msgRecharge'
