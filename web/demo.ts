/** Whether the server runs on demo data, as its HTML says. */
export function isDemo(): boolean {
  return document.querySelector('meta[name="demo"]') !== null
}
