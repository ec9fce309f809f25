/** What lacks a permission: the server's refusal, the page's reason. */
export const FORBIDDEN = '您没有操作权限!'
