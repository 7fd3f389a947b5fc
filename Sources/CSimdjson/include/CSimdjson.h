#ifndef STARLING_CSIMDJSON_H
#define STARLING_CSIMDJSON_H
#ifdef __cplusplus
extern "C" {
#endif
int starling_json_version(void);
#ifdef __cplusplus
}
#endif
#endif
