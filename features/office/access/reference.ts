// What those who look after shops are called, as a fresh database offers it (D1 §2: manager or support).
export const MANAGER_LABELS = ['客户经理', '客服', '售后', '实施'].map((name, position) => ({
  id: position + 1,
  name,
  position,
}))
