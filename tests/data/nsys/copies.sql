-- us        0     10    20    30    40    50
-- kernel    [ 0-5 ]
-- copies          [a][b]  [c]   [d]   [e]    set [f]
-- a is to the device, b peer to peer, c on a device, d between two devices though it is
-- called device to device, e of a kind that later versions may add.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'gemm');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 5000, 0, 7, 1, 16777216000, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER,
  copyKind INTEGER, srcDeviceId INTEGER, dstDeviceId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
  (10000, 12000, 0, 8, 2, 16777216000, 100, 1, NULL, NULL),
  (12000, 15000, 0, 8, 3, 16777216000, 4096, 10, 0, 1),
  (20000, 22000, 0, 8, 4, 16777216000, 100, 8, NULL, NULL),
  (30000, 33000, 0, 8, 5, 16777216000, 8192, 8, 1, 0),
  (40000, 41000, 0, 8, 6, 16777216000, 100, 77, NULL, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (50000, 51000, 0, 7, 9, 16777216000, 64);
