/** Why nothing is changed for an agency that is suspended: the server's refusal, the page's reason. */
export const AGENT_SUSPENDED = '贵公司已被厂商暂停，只能查看，原因见页面顶部'
