/** Fake XMLHttpRequest with the parts that uploads use. The test controls the network. */
export class FakeRequest {
  static last: FakeRequest | undefined;
  readonly headers = new Headers();
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  onload: () => void = () => {};
  onerror: () => void = () => {};
  onabort: () => void = () => {};
  status = 0;
  responseText = '';
  address = '';
  body: FormData | undefined;
  open(method: string, path: string) {
    this.address = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value);
  }
  getResponseHeader() {
    return null;
  }
  send(body: FormData) {
    this.body = body;
    FakeRequest.last = this;
  }
  abort() {
    this.onabort();
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload();
  }
}
