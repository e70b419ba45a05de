/* SPDX-License-Identifier: BSD-3-Clause
 * Device and representor parameters, on the default topology.
 */
#include "argp_kit.h"

#include <doca_dev.h>

static struct doca_dev *devs[4];
static struct doca_dev_rep *rep;
static unsigned int num_devs;

static doca_error_t take_device(void *param, void *cfg)
{
	struct doca_argp_device_ctx *ctx = param;
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	T_CHECK(cfg == &config);
	T_OK(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(ctx->dev), pci));
	trace_add("%s %s;", pci, ctx->devargs ? ctx->devargs : "-");
	devs[num_devs++] = ctx->dev;
	return DOCA_SUCCESS;
}

static doca_error_t take_rep(void *param, void *cfg)
{
	struct doca_argp_device_rep_ctx *ctx = param;
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];

	rep = ctx->dev_rep;
	T_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), pci));
	trace_add("rep %s on ", pci);
	return take_device(&ctx->dev_ctx, cfg);
}

static void begin_with_devices(void)
{
	struct doca_argp_param *param;

	begin();
	num_devs = 0;
	trace[0] = '\0';
	param = new_param("d", "device", DOCA_ARGP_TYPE_DEVICE);
	doca_argp_param_set_callback(param, take_device);
	doca_argp_param_set_multiplicity(param);
	T_OK(doca_argp_register_param(param));
	param = new_param("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	doca_argp_param_set_callback(param, take_rep);
	T_OK(doca_argp_register_param(param));
}

static void finish(void)
{
	if (rep)
		T_OK(doca_dev_rep_close(rep));
	rep = NULL;
	while (num_devs > 0)
		T_OK(doca_dev_close(devs[--num_devs]));
	T_OK(doca_argp_destroy());
}

static void accepted(const char *line, const char *expected)
{
	begin_with_devices();
	if (start(line) != DOCA_SUCCESS)
		T_FAIL("%s", said);
	T_STREQ(trace, expected);
	finish();
}

T_CASE(devices_are_handed_over_open)
{
	accepted("-d 03:00.0", "0000:03:00.0 -;");
	accepted("-d 0000:03:00.1", "0000:03:00.1 -;");
	accepted("-d pci/0000:3b:00.0", "0000:3b:00.0 -;");
	accepted("-d mlx5_0", "0000:03:00.0 -;");
}

T_CASE(what_follows_a_comma_is_for_the_program)
{
	accepted("-d 03:00.0,dv_flow_en=2,x=1", "0000:03:00.0 dv_flow_en=2,x=1;");
	accepted("-d 03:00.0,", "0000:03:00.0 -;");
}

T_CASE(the_same_device_twice_is_two_references)
{
	begin_with_devices();
	T_OK(start("-d 03:00.0 --device mlx5_0"));
	T_EQ(num_devs, 2);
	T_CHECK(devs[0] == devs[1]);
	finish();
}

T_CASE(representors_come_with_their_device)
{
	accepted("-r pci/0000:03:00.0,pf0", "rep 0000:3b:00.0 on 0000:03:00.0 -;");
	accepted("-r 03:00.0,3b:00.0", "rep 0000:3b:00.0 on 0000:03:00.0 -;");
	accepted("-r 03:00.0,pf0,dv=1", "rep 0000:3b:00.0 on 0000:03:00.0 dv=1;");
}

T_CASE(devices_from_a_file)
{
	begin_with_devices();
	T_OK(start_json("{\"doca_program_flags\": {\"device\": [\"03:00.0\", \"03:00.1\"]}}", ""));
	T_STREQ(trace, "0000:03:00.0 -;0000:03:00.1 -;");
	finish();
}

T_CASE(devices_that_do_not_exist)
{
	begin_with_devices();
	refused("-d 77:00.0", DOCA_ERROR_NOT_FOUND, "-d/--device: 77:00.0 cannot be opened");
	begin_with_devices();
	refused("-r 77:00.0,pf0", DOCA_ERROR_NOT_FOUND, "-r/--rep: 77:00.0 cannot be opened");
	begin_with_devices();
	refused("-r 03:00.0,pf9vf9", DOCA_ERROR_NOT_FOUND, "-r/--rep: pf9vf9 cannot be opened");
	begin_with_devices();
	refused("-r 03:00.0", DOCA_ERROR_INVALID_VALUE, "needed: DEVICE,REPRESENTOR");
	T_STREQ(trace, "");
}

static doca_error_t open_with_trace(struct doca_devinfo *devinfo, void *usr_ctx,
				    struct doca_dev **dev)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	T_OK(doca_devinfo_get_pci_addr_str(devinfo, pci));
	trace_add("open %s %s;", pci, (const char *)usr_ctx);
	return doca_dev_open(devinfo, dev);
}

static doca_error_t open_refused(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev)
{
	return DOCA_ERROR_NOT_PERMITTED;
}

T_CASE(a_program_may_open_devices_itself)
{
	begin_with_devices();
	T_OK(doca_argp_register_dev_open_callback(open_with_trace, "ctx"));
	T_OK(start("-d 03:00.0 -r 03:00.0,pf0"));
	T_STREQ(trace, "open 0000:03:00.0 ctx;0000:03:00.0 -;open 0000:03:00.0 ctx;"
		       "rep 0000:3b:00.0 on 0000:03:00.0 -;");
	finish();
	begin_with_devices();
	T_OK(doca_argp_register_dev_open_callback(open_refused, NULL));
	refused("-d 03:00.0", DOCA_ERROR_NOT_PERMITTED, "03:00.0 cannot be opened");
}

T_CASE(dev_open_callbacks_belong_to_the_setup)
{
	T_ERR(doca_argp_register_dev_open_callback(open_refused, NULL), DOCA_ERROR_BAD_STATE);
	begin();
	T_ERR(doca_argp_register_dev_open_callback(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(start(""));
	T_ERR(doca_argp_register_dev_open_callback(open_refused, NULL), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
}
