// Whom one can be in the demo. Apart from its rows, which are loaded only where they are made.

export const DEMO_PASSWORD = 'demo2026'
/** Whom one can be, as the demo's login offers it. */
export const DEMO_LOGINS = [
  { loginName: '20001', who: '代理商' },
  { loginName: '2000102', who: '只看本人商户的客户经理' },
  { loginName: '2000101', who: '代理商的财务' },
  { loginName: '20003', who: '下级代理商' },
  { loginName: '10090', who: '厂商员工' },
  { loginName: '10001', who: '运营商' },
].map(login => ({ ...login, password: DEMO_PASSWORD }))
