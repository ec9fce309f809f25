/** Why nothing is changed or taken along while one looks through another's account: the server's refusal, the page's reason. */
export const VIEW_ONLY = '正在以他人身份查看，不能修改或导出'
